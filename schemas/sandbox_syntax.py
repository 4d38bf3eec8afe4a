"""Read templates and expressions into syntax trees, and refuse what the sandbox does not have, before anything runs."""

from __future__ import annotations

from typing import Any

from jinja2 import nodes
from jinja2.environment import Environment
from jinja2.exceptions import TemplateSyntaxError
from jinja2.parser import Parser

from .errors import TemplateFault
from .template_slips import explain_syntax

LONGEST_SOURCE = 256 * 1024
MOST_NODES = 20_000
DEEPEST_EXPRESSION = 60
DEEPEST_BLOCKS = 12

# Jinja's own names of the operators that this sandbox answers for (no user can write these as filters).
CONCATENATE, SLICE, TURNS, KEY = "~", "[:]", "for", "{:}"

_REFUSED: dict[type[nodes.Node], str] = {
    nodes.Include: "include", nodes.Import: "import", nodes.FromImport: "from ... import", nodes.Extends: "extends",
    nodes.Block: "block", nodes.EvalContextModifier: "autoescape", nodes.ScopedEvalContextModifier: "autoescape",
}  # fmt: skip
_BLOCKS = (nodes.For, nodes.If, nodes.Macro, nodes.CallBlock, nodes.With, nodes.FilterBlock, nodes.AssignBlock)


def parse_template(environment: Environment, source: str) -> nodes.Template:
    """The tree of a template. Raises TemplateFault with the line, where there are several."""
    _not_too_long(source)
    try:
        tree = Parser(environment, source).parse()
    except Exception as error:  # noqa: BLE001 - the parser meets endless digits and depths with errors of many kinds
        raise _syntax_fault(error, source, expression=False) from None
    check_size(tree)
    return tree


def parse_expression(environment: Environment, source: str) -> nodes.Expr:
    """The tree of an expression. Raises TemplateFault."""
    _not_too_long(source)
    try:
        parser = Parser(environment, source, state="variable")
        tree = parser.parse_expression()
        if not parser.stream.eos:
            parser.fail(f"unexpected {parser.stream.current.value!r} after the expression")
        tree.set_environment(environment)
    except Exception as error:  # noqa: BLE001 - as above
        fault = _syntax_fault(error, source, expression=True)
        if "{{" in source or "{%" in source:
            what = str(fault).partition("; ")[0]
            fault = TemplateFault(f"{what}; an expression stands without {{{{ }}}}: leave them out")
        raise fault from None
    check_size(tree)
    return tree


def check_size(tree: nodes.Node) -> None:
    """Refuse what the compiler could not take, and the statements that have no place here."""
    count, waiting = 0, [(tree, 0, 0)]
    while waiting:
        node, depth, blocks = waiting.pop()
        count += 1
        refused = _REFUSED.get(type(node))
        if refused is not None:
            raise TemplateFault(f"'{refused}' is not part of these templates; write the text itself")
        if isinstance(node, _BLOCKS):
            depth, blocks = 0, blocks + 1
        if count > MOST_NODES:
            raise TemplateFault(f"more than {MOST_NODES} names, values and operators; split the template")
        if depth > DEEPEST_EXPRESSION:
            raise TemplateFault(f"an expression deeper than {DEEPEST_EXPRESSION}; split it with {{% set %}}")
        if blocks > DEEPEST_BLOCKS:
            raise TemplateFault(f"blocks nested deeper than {DEEPEST_BLOCKS}; use fewer")
        waiting.extend((child, depth + 1, blocks) for child in node.iter_child_nodes())


def _not_too_long(source: str) -> None:
    if len(source) > LONGEST_SOURCE:
        raise TemplateFault(f"the template has {len(source)} characters: the limit is {LONGEST_SOURCE}; split it")


def _syntax_fault(error: Exception, source: str, *, expression: bool) -> TemplateFault:
    if isinstance(error, TemplateFault):
        return error
    if isinstance(error, RecursionError | MemoryError):
        return TemplateFault("it is nested too deeply; make it simpler")
    line, problem = "", f"it does not parse: {str(error)[:200]}"
    if isinstance(error, TemplateSyntaxError):
        line = f"line {error.lineno}: " if "\n" in source else ""
        problem = (error.message or "it does not parse").rstrip(".")[:300]
    what, cure = explain_syntax(problem, source, expression=expression)
    return TemplateFault(f"{line}{what}; {cure}")


class Guarded:
    """Rewrite a tree so that loops, ``~``, comparisons, slices and keys go through the sandbox's own functions."""

    def rewrite(self, node: Any) -> Any:
        for field, value in node.iter_fields():
            if isinstance(value, nodes.Node):
                setattr(node, field, self.rewrite(value))
            elif isinstance(value, list):
                setattr(node, field, [self.rewrite(each) if isinstance(each, nodes.Node) else each for each in value])
        change = getattr(self, f"on_{type(node).__name__.lower()}", None)
        return node if change is None else change(node)

    def on_for(self, node: nodes.For) -> nodes.Node:
        node.iter = _filtered(node.iter, TURNS)
        return node

    def on_call(self, node: nodes.Call) -> nodes.Node:
        """Tell ``secret(...)`` which variables it was made from, so that each is masked and a default is not."""
        if isinstance(node.node, nodes.Name) and node.node.name == "secret":
            names = dict.fromkeys(name for each in node.args for name in variables_in(each))
            node.args = [*node.args[:1], *(nodes.Const(name, lineno=node.lineno) for name in names)]
        return node

    def on_condexpr(self, node: nodes.CondExpr) -> nodes.Node:
        """As in Jinja, ``'x' if y`` without ``else`` is empty text."""
        node.expr2 = node.expr2 or nodes.Const("", lineno=node.lineno)
        return node

    def on_concat(self, node: nodes.Concat) -> nodes.Node:
        return _filtered(node.nodes[0], CONCATENATE, *node.nodes[1:])

    def on_getitem(self, node: nodes.Getitem) -> nodes.Node:
        if not isinstance(node.arg, nodes.Slice):
            return node
        bounds = (node.arg.start, node.arg.stop, node.arg.step)
        return _filtered(node.node, SLICE, *(_or_none(bound) for bound in bounds))

    def on_pair(self, node: nodes.Pair) -> nodes.Node:
        if not isinstance(node.key, nodes.Const):
            node.key = _filtered(node.key, KEY)
        return node

    def on_compare(self, node: nodes.Compare) -> nodes.Node:
        left, compared = node.expr, []
        for operand in node.ops:
            compared.append(_filtered(left, operand.op, operand.expr))
            left = operand.expr
        result: nodes.Expr = compared[0]
        for each in compared[1:]:
            result = nodes.And(result, each, lineno=node.lineno)
        return result


def _filtered(node: Any, name: str, *args: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(node, name, list(args), [], None, None, lineno=node.lineno)


def _or_none(bound: nodes.Expr | None) -> nodes.Expr:
    return nodes.Const(None) if bound is None else bound


def variables_in(node: nodes.Node) -> list[str]:
    """The environment variables that an expression names."""
    found = [node, *node.find_all((nodes.Getattr, nodes.Getitem))]
    named = [each for each in found if isinstance(each, nodes.Getattr | nodes.Getitem) and _is_env(each.node)]
    keys = [each.attr if isinstance(each, nodes.Getattr) else getattr(each.arg, "value", None) for each in named]
    return [key for key in keys if isinstance(key, str)]


def _is_env(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Name) and node.name == "env"
