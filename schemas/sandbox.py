"""Run Jinja templates over plain data so that each ends, small and soon, whatever it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from jinja2 import nodes
from jinja2.compiler import generate
from jinja2.exceptions import TemplateError, UndefinedError
from jinja2.runtime import Context, LoopContext, Macro, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace, pass_context

from .bounded import clean_text
from .errors import AbsentFault, TemplateFault, WindTunnelError
from .sandbox_access import Absent, attribute, item
from .sandbox_data import atom, kind_of, pay_for, text_of
from .sandbox_lists import LIST_FILTERS
from .sandbox_loops import items_of, turns_of
from .sandbox_meter import LARGEST_OUTPUT, Meter, current
from .sandbox_methods import Method
from .sandbox_operators import ARITHMETIC, COMPARISONS, concatenate, cut
from .sandbox_syntax import CONCATENATE, KEY, SLICE, TURNS, Guarded, parse_expression, parse_template
from .sandbox_tests import TESTS

Root = Callable[[Context], Any]
RESULT = "value_of_expression"


def _range(*bounds: int) -> list[int]:
    numbers = range(*bounds)
    current.meter.make_items(len(numbers))
    return list(numbers)


def _dict(pairs: Any = (), /, **members: Any) -> dict[Any, Any]:
    given = pairs.items() if isinstance(pairs, dict) else items_of(pairs)
    return pay_for({**{atom(key): value for key, value in given}, **members})  # type: ignore[no-any-return]


def _namespace(**members: Any) -> Namespace:
    return Namespace(members)


GLOBALS: dict[str, Callable[..., Any]] = {"range": _range, "dict": _dict, "namespace": _namespace}
_CALLABLE = tuple(GLOBALS.values())


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja over plain data, with every way to make much out of little counted."""

    intercepted_binops = frozenset(ARITHMETIC)

    def __init__(self) -> None:
        super().__init__(
            undefined=Absent,
            keep_trailing_newline=True,
            optimized=False,
            finalize=_finalize,
            cache_size=0,
            autoescape=False,
        )
        self.globals = dict(GLOBALS)
        self.filters = {
            **LIST_FILTERS, **COMPARISONS, CONCATENATE: concatenate, SLICE: cut, TURNS: turns_of, KEY: atom
        }  # fmt: skip
        self.tests = dict(TESTS)

    @staticmethod
    def concat(pieces: Any) -> str:
        """Put the output of a macro or block together."""
        found = list(pieces)
        current.meter.make(sum(map(len, found)))
        return "".join(found)

    def getattr(self, obj: Any, attribute_: str) -> Any:
        return attribute(obj, attribute_)

    def getitem(self, obj: Any, argument: Any) -> Any:
        return item(obj, argument)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        return ARITHMETIC[operator](left, right)

    def call(self, context: Context, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        current.meter.turn()
        if isinstance(obj, Macro):
            return context.call(obj, *args, **kwargs)
        for given_by_jinja in ("_loop_vars", "_block_vars"):
            kwargs.pop(given_by_jinja, None)
        if isinstance(obj, Method) or any(obj is each for each in _CALLABLE):
            return obj(*args, **kwargs)
        if isinstance(obj, LoopContext):
            return context.call(obj, turns_of(*args))
        if isinstance(obj, StrictUndefined):
            str(obj)
        raise TemplateFault(f"{kind_of(obj)} cannot be called; leave the () out")


@pass_context
def _finalize(context: Context, value: Any) -> str:  # asking for it keeps Jinja from folding constants
    return text_of(value)


SANDBOX = Sandbox()


@lru_cache(maxsize=4096)
def compiled(source: str) -> Root | tuple[Root]:
    """A template ready to run; in a tuple of one where it is exactly one ``{{ expression }}``."""
    tree = parse_template(SANDBOX, source)
    lone = _lone_expression(tree)
    return _root(tree) if lone is None else (_root(_as_result(lone)),)


@lru_cache(maxsize=4096)
def compiled_expression(source: str) -> Root:
    return _root(_as_result(parse_expression(SANDBOX, source)))


def run_text(root: Root, names: Mapping[str, Any]) -> str:
    """The text that a template gives. Raises what its operations raise."""
    current.meter = Meter()
    pieces, size = [], 0
    for piece in root(_context(names)):
        pieces.append(piece)
        size += len(piece)
        if size > LARGEST_OUTPUT:
            raise TemplateFault(f"the output has more than {LARGEST_OUTPUT} characters; write less")
    return "".join(pieces)


def run_expression(root: Root, names: Mapping[str, Any]) -> Any:
    """The value that an expression gives."""
    current.meter = Meter()
    context = _context(names)
    for _ in root(context):
        pass
    return context.vars[RESULT]


def fault_of(error: Exception, source: str) -> TemplateFault:
    """What went wrong at run time, told with the template that it went wrong in."""
    shown = source if len(source) <= 80 else f"{source[:79]}…"
    shown = " ".join(shown.split())
    if isinstance(error, UndefinedError):
        return AbsentFault(f"{shown}: {clean_text(error.message or 'an absent value is used', 400)}")
    if isinstance(error, RecursionError | MemoryError):
        return TemplateFault(f"{shown}: it goes too deep or needs too much memory; make it simpler")
    if isinstance(error, WindTunnelError | TemplateError):
        return TemplateFault(f"{shown}: {clean_text(error, 400)}")
    return TemplateFault(f"{shown}: {clean_text(error, 300) or type(error).__name__}; mend the expression")


def _context(names: Mapping[str, Any]) -> Context:
    return Context(SANDBOX, {**GLOBALS, **names}, "template", {})


def _lone_expression(tree: nodes.Template) -> nodes.Expr | None:
    if len(tree.body) != 1 or not isinstance(tree.body[0], nodes.Output) or len(tree.body[0].nodes) != 1:
        return None
    found = tree.body[0].nodes[0]
    return None if isinstance(found, nodes.TemplateData) else found


def _as_result(expression: nodes.Expr) -> nodes.Template:
    body: list[nodes.Node] = [nodes.Assign(nodes.Name(RESULT, "store"), expression, lineno=1)]
    template = nodes.Template(body, lineno=1)
    template.set_environment(SANDBOX)
    return template


def _root(tree: nodes.Template) -> Root:
    try:
        guarded = Guarded().rewrite(tree)
        guarded.set_environment(SANDBOX)
        python = generate(guarded, SANDBOX, "template", "template", optimized=False)
        space: dict[str, Any] = {"environment": SANDBOX, "__file__": "template"}
        exec(compile(python or "", "<template>", "exec"), space)  # noqa: S102 - this is how Jinja runs its templates
    except TemplateFault:
        raise
    except TemplateError as error:
        raise TemplateFault(f"{(error.message or 'it does not compile').rstrip('.')}; mend it") from None
    except Exception as error:  # noqa: BLE001 - the Python compiler has limits of many kinds
        raise TemplateFault(f"it does not compile: {clean_text(error, 200)}; make it simpler") from None
    root: Root = space["root"]
    return root
