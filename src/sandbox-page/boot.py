"""The Python side of a REPL. `start` gives the functions that the worker calls; all of them give JSON."""

import io
import itertools
import json
import sys
import time
import traceback

import _json
import _muster_host

_call_host = _muster_host.call
_sleep_host = _muster_host.sleep

# Taken here, because code can replace what modules hold. These are written in C and cannot be changed.
_modules = sys.modules
_format_exc = traceback.format_exc
_islice = itertools.islice
_chain = itertools.chain.from_iterable
_quoted = _json.encode_basestring_ascii
_scan = _json.make_scanner(json.JSONDecoder())


def dumps(value):
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if type(value) is int:
        return int.__repr__(value)
    if isinstance(value, str):
        return _quoted(value)
    if type(value) is list:
        return "[" + ",".join([dumps(item) for item in value]) + "]"
    return "{" + ",".join([_quoted(name) + ":" + dumps(item) for name, item in dict.items(value)]) + "}"


def loads(text):
    return _scan(text, 0)[0]


class Capped(io.TextIOBase):
    """Keeps the beginning of what is printed and counts the rest."""

    def __init__(self, limit):
        self.parts = []
        self.room = limit
        self.dropped = 0
        # Dropped white space, which counts only before other text.
        self.blank = 0

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not " + type(text).__name__)
        kept = text[: self.room]
        if kept:
            self.parts.append(kept)
            self.room -= len(kept)
        rest = text[len(kept) :]
        if str.strip(rest):
            self.dropped += self.blank + len(rest)
            self.blank = 0
        else:
            self.blank += len(rest)
        return len(text)

    def text(self):
        return "".join(self.parts)


# Values that a fingerprint looks at, how deep it goes, and the characters of a text's beginning and end.
LOOKS = 50_000
DEPTH = 20
ENDS = 10_000


class Fingerprint:
    """Sees whether variables have other values than in an earlier run. It calls nothing that the code defined."""

    def __init__(self):
        self.left = LOOKS

    def of(self, value, depth=0):
        self.left -= 1
        if self.left < 0 or depth > DEPTH:
            return 0
        kind = type(value)
        name = kind.__name__
        if kind in (int, bool, complex, type(None)):
            return hash((name, value))
        if kind in (str, bytes, bytearray):
            self.left -= len(value) // 1000 if len(value) < 2 * ENDS else 20
            ends = bytes(value[:ENDS] + value[-ENDS:]) if kind is bytearray else value[:ENDS] + value[-ENDS:]
            return hash((name, len(value), ends))
        if isinstance(value, dict):
            return self.all(name, _chain(dict.items(value)), dict.__len__(value), depth)
        for sequence in (list, tuple, set, frozenset):
            if isinstance(value, sequence):
                return self.all(name, sequence.__iter__(value), sequence.__len__(value), depth)
        if kind is float or self.is_library(kind):
            return hash((name, repr(value)))
        if kind is type(sys) or isinstance(value, type):
            return hash(name)
        try:
            return hash((name, self.of(object.__getattribute__(value, "__dict__"), depth + 1)))
        except AttributeError:
            return hash(name)

    def is_library(self, kind):
        # A class that only says so has methods that the code wrote.
        if kind.__module__ not in ("datetime", "decimal", "fractions", "uuid"):
            return False
        return vars(_modules.get(kind.__module__, self)).get(kind.__name__) is kind

    def all(self, name, values, length, depth):
        seen = [self.of(value, depth + 1) for value in _islice(values, max(0, self.left))]
        return hash((name, length, *seen))


def sleep(seconds):
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    if not _sleep_host(float(seconds)):
        raise KeyboardInterrupt


def start(settings):
    settings = json.loads(settings)
    most_chars = settings["subcallChars"]
    batch_size = settings["batchSize"]
    output_chars = settings["outputChars"]
    state = {"final": None, "answer": None}
    names = {"__name__": "__main__", "__builtins__": __builtins__}
    # The documents that arrive, and the parts of the last one of them.
    documents = []
    parts = []

    def ask(pairs):
        for instruction, content in pairs:
            length = len(instruction) + len(content)
            if length > most_chars:
                raise ValueError(
                    f"This sub-call has {length:,} characters. The limit is {most_chars:,}. Split the content."
                )
        prompts = [{"instruction": instruction, "content": content} for instruction, content in pairs]
        answers = loads(_call_host(dumps(prompts)))
        if answers is None:
            raise KeyboardInterrupt
        return answers

    def llm_query(instruction, content=""):
        """Asks the sub-model and gives its text."""
        answer = ask([(str(instruction), str(content))])[0]
        if not answer["ok"]:
            raise ValueError(answer["text"])
        return answer["text"]

    def llm_query_batched(pairs):
        """Asks many questions at once. A failure is a text that begins with `Error:` in its slot."""
        asked = [as_pair(pair) for pair in pairs]
        if len(asked) > batch_size:
            raise ValueError(f"A batch has {len(asked):,} sub-calls. The limit is {batch_size:,}.")
        if not asked:
            return []
        return [item["text"] if item["ok"] else "Error: " + item["text"] for item in ask(asked)]

    def as_pair(item):
        if isinstance(item, str):
            return (item, "")
        if isinstance(item, dict):
            return (str(item.get("instruction", "")), str(item.get("content", "")))
        instruction, content = item
        return (str(instruction), str(content))

    def FINAL(text):
        state["final"] = ("FINAL", str(text))
        return text

    def PARTIAL(text):
        state["final"] = ("PARTIAL", str(text))
        return text

    def FINAL_VAR(name):
        value = names.get(str(name))
        if value is None:
            print(f"There is no variable {name!r} with a value. Variables: {visible()}")
            return None
        state["final"] = ("FINAL_VAR", str(value))
        return value

    def SHOW_VARS():
        """The variables of the REPL and their types."""
        return {name: type(names[name]).__name__ for name in visible()}

    given = {
        "llm_query": llm_query,
        "llm_query_batched": llm_query_batched,
        "FINAL": FINAL,
        "FINAL_VAR": FINAL_VAR,
        "PARTIAL": PARTIAL,
        "SHOW_VARS": SHOW_VARS,
    }
    reserved = {*given, "context", "answer"}
    unseen = {*given, "context", "__builtins__"}

    def fingerprint():
        try:
            kept = [name for name in list(names) if type(name) is str and name not in unseen]
            mine = [(name, names[name]) for name in sorted(kept)]
            return format(Fingerprint().of(mine) & 0xFFFFFFFF, "08x")
        except BaseException:
            return ""

    def visible():
        shown_names = [name for name in list(names) if type(name) is str and name not in reserved]
        return sorted([name for name in shown_names if not name.startswith("_")])

    def answer_of():
        answer = names.get("answer")
        if not isinstance(answer, dict) or answer.get("ready") is not True:
            return None
        content = answer.get("content")
        if content is None:
            print('answer["ready"] is set, and answer["content"] holds None: set it to the answer.')
            return None
        return ("answer", str(content))

    def execute(code):
        try:
            exec(compile(code, "<repl>", "exec"), names)
        except KeyboardInterrupt:
            return "KeyboardInterrupt", True
        except SystemExit as cause:
            return f"SystemExit: {cause.code}", False
        except BaseException:
            return last_words(), False
        return None, False

    def run(code):
        out, err = Capped(output_chars), Capped(output_chars)
        before = sys.stdout, sys.stderr
        state["final"] = None
        names.update(given)
        names.setdefault("answer", {"content": None, "ready": False})
        sys.stdout, sys.stderr = out, err
        try:
            error, interrupted = execute(code)
            try:
                final = state["final"] or answer_of()
            except BaseException:
                final, error = None, last_words()
        finally:
            sys.stdout, sys.stderr = before
        return dumps(
            {
                "stdout": out.text(),
                "stderr": err.text(),
                "dropped": out.dropped + err.dropped,
                "error": error,
                "interrupted": interrupted,
                "final": None if final is None else {"call": final[0], "text": final[1]},
                "variables": visible()[:1000],
                "fingerprint": fingerprint(),
            }
        )

    def last_words():
        try:
            return shown(str(_format_exc()))
        except BaseException:
            return "The exception cannot be shown."

    def shown(trace):
        """Without the frames of this file: the model can do nothing about them."""
        kept = trace.split('  File "<repl>"', 1)
        text = "Traceback (most recent call last):\n" + '  File "<repl>"' + kept[1] if len(kept) == 2 else trace
        return text if len(text) <= output_chars else "..." + text[-output_chars:]

    def read(name):
        try:
            value = names.get(name)
            return dumps(None if value is None else str(value))
        except BaseException:
            # It has no text, which is not the death of the interpreter.
            return "null"

    def context(text, begin, last):
        try:
            if begin and parts:
                documents.append("".join(parts))
                parts.clear()
            if begin or parts:
                parts.append(text)
            if last:
                if parts:
                    documents.append("".join(parts))
                    parts.clear()
                names["context"] = list(documents)
                documents.clear()
            return "null"
        except MemoryError:
            documents.clear()
            parts.clear()
            return dumps("The documents do not fit into the memory of the sandbox.")

    def reseed():
        # One that is imported later takes its seed from the fixed numbers itself.
        if "random" in _modules:
            _modules["random"].seed()
        return "null"

    names["context"] = []
    time.sleep = sleep
    # Its state lies in the snapshot that every REPL begins with.
    reseed()
    for name in ("js", "pyodide_js", "_muster_host"):
        sys.modules.pop(name, None)
    return [run, read, context, reseed]
