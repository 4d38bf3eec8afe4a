"""The fixture data behind the tools: typed tables, copied for every run, with a frozen clock and no way out."""

from .columns import cell_fault
from .faults import SqlFault
from .load_check import sql_faults
from .prepared import PreparedWorld, prepare_world
from .session import World

__all__ = ["PreparedWorld", "SqlFault", "World", "cell_fault", "prepare_world", "sql_faults"]
