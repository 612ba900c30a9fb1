"""What a cell of %%kernel has to do with a .cu file: functions are found in both, and replaced in the file."""

import difflib
import re
from collections import namedtuple

# `begin` to `end` is the definition with the comments above it, `code` is where these end.
Function = namedtuple("Function", "name begin code end")

# What is skipped as a whole: comments, texts, characters.
SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
DIRECTIVE = re.compile(r"[ \t]*#(?:[^\n]*\\\n)*[^\n]*")


class Refusal(Exception):
    """What is wrong, in one sentence."""


def without_skipped(text):
    """The same text, its comments and literals blank, so that a position means the same place in both."""
    return SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def name_of_function(head):
    """The name in front of the last parameter list of `template <class T> __device__ T sum(T value)`; None: no function."""
    head = head.rstrip()
    if not head.endswith(")"):
        return None
    depth = 0
    for i in range(len(head) - 1, -1, -1):
        depth += (head[i] == ")") - (head[i] == "(")
        if depth == 0:
            name = re.search(r"(\w+)\s*$", head[:i])
            return name[1] if name else None
    return None


def parts_of(text, what):
    """The functions of the text, and (begin, end) of whatever else it has at the top. Refuses braces that do not match."""
    bare = without_skipped(text)
    functions, others = [], []
    begin, open_braces, depth, i = 0, [], 0, 0
    while i < len(bare):
        if begin == i and (directive := DIRECTIVE.match(bare, i)):
            others.append((i, directive.end()))
            begin = i = directive.end()
        elif bare[i].isspace() and not bare[begin:i].strip():
            begin = i = i + 1
        elif bare[i] == "{":
            open_braces.append(i)
            i += 1
        elif bare[i] == "}":
            if not open_braces:
                raise Refusal(f"line {line_of(text, i)} of {what} has a }} too many.")
            opened = open_braces.pop()
            i += 1
            name = None if open_braces else name_of_function(bare[begin:opened])
            if name:
                functions.append(Function(name, comment_above(text, bare, begin), begin, i))
                begin = i
        else:
            depth += (bare[i] in "([") - (bare[i] in ")]")
            i += 1
            if bare[i - 1] == ";" and not open_braces and depth <= 0:
                others.append((begin, i))
                begin = i
    if open_braces:
        raise Refusal(f"the {{ in line {line_of(text, open_braces[-1])} of {what} is never closed.")
    if bare[begin:].strip():
        others.append((begin, len(text.rstrip())))
    return functions, others


def comment_above(text, bare, begin):
    """Where the whole lines of comments that end right above `begin` begin."""
    begin_of_line = text.rfind("\n", 0, begin) + 1
    if text[begin_of_line:begin].strip():
        return begin
    while begin_of_line > 0:
        before = text.rfind("\n", 0, begin_of_line - 1) + 1
        line = slice(before, begin_of_line)
        if bare[line].strip() or not text[line].strip():
            break
        begin_of_line = before
    return begin_of_line


def is_same(one, other):
    return one.split() == other.split()


def replaced(file_text, cell_text, kernel, file_name):
    """The file with the cell's functions in place of its own of those names; new ones come before the one that follows them.
    Also (line in the file, line in the cell, lines) of each. Nothing else of the file changes."""
    in_file = {one.name: one for one in parts_of(file_text, file_name)[0]}
    if kernel not in in_file:
        near = difflib.get_close_matches(kernel, in_file, 1)
        raise Refusal(f"{file_name} has no kernel {kernel}" + (f"; did you mean {near[0]}?" if near else "."))
    functions, others = parts_of(cell_text, "the cell")
    names = [one.name for one in functions]
    if kernel not in names:
        has = f" (it defines {', '.join(names)})" if names else ""
        raise Refusal(f"the cell does not define {kernel}{has}: write the whole kernel, from its first line to its last }}.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise Refusal(f"the cell defines {twice} twice.")
    have = [file_text[begin:end] for begin, end in parts_of(file_text, file_name)[1]]
    for begin, end in others:
        if not any(is_same(cell_text[begin:end], one) for one in have):
            words = " ".join(cell_text[begin:end].split())[:40]
            raise Refusal(
                f"line {line_of(cell_text, begin)} of the cell, `{words}`, is no function, and only functions go into "
                f"{file_name}: move it into one, or write it into the file."
            )
    return put_in(file_text, cell_text, functions, in_file)


def put_in(file_text, cell_text, functions, in_file):
    changes = []  # (where in the file it begins and ends, the cell's text, and where in the cell that begins)
    new = []
    for one in functions:
        if one.name in in_file:
            old = in_file[one.name]
            at = one.begin if one.begin < one.code else one.code  # the cell's comments, if it has any
            changes += [(old.begin, old.begin, before, "\n\n") for before in new]
            changes.append((old.begin if one.begin < one.code else old.code, old.end, (at, one.end), ""))
            new = []
        else:
            new.append((one.begin, one.end))
    changes += [(changes[-1][1], changes[-1][1], after, None) for after in new]
    text, at, places = "", 0, []
    for begin, end, (first, last), space in sorted(changes, key=lambda change: change[:2]):
        text += file_text[at:begin] + ("\n\n" if space is None else "")
        lines = cell_text.count("\n", first, last) + 1
        places.append((line_of(text, len(text)), line_of(cell_text, first), lines))
        text += cell_text[first:last] + (space or "")
        at = end
    return text + file_text[at:], places
