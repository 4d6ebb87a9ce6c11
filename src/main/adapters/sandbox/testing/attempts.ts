/** Code that tries to leave the sandbox. `ESCAPED` in its output means that it succeeded. */
interface Attempt {
  readonly name: string;
  readonly code: string;
}

const attempt = (name: string, code: string): Attempt => ({ name, code });

/** Modules that Emscripten's Python has only in name, and their effects. */
const system = [
  'import os\nprint("ESCAPED" if os.path.exists("/etc/passwd") else "none")',
  'print("ESCAPED", open("/etc/passwd").read())',
  'print("ESCAPED", open("/proc/self/environ").read())',
  'print("ESCAPED", open("/root/.bashrc").read())',
  'import os\nprint("ESCAPED" if "HOME" in os.environ and os.path.isdir(os.environ["HOME"] + "/.cache") else "none")',
  'import glob\nprint("ESCAPED" if glob.glob("/home/*/.ssh") else "none")',
  'import pathlib\nprint("ESCAPED", pathlib.Path("/etc/hostname").read_text())',
  'import os\nos.system("id")\nprint(os.popen("id").read() and "ESCAPED")',
  'import subprocess\nprint("ESCAPED", subprocess.check_output(["id"]))',
  'import os\nprint("ESCAPED", os.fork())',
  'import os\nos.execv("/bin/sh", ["sh", "-c", "true"])\nprint("ESCAPED")',
  'import os\nprint("ESCAPED", os.posix_spawn("/bin/true", ["true"], {}))',
  'import os\nos.kill(os.getppid(), 9)\nprint("none")',
  'import ctypes\nprint("ESCAPED", ctypes.CDLL("libc.so.6").system(b"true"))',
  'import ctypes\nprint("ESCAPED" if ctypes.CDLL(None).system(b"true") == 0 else "none")',
  'import mmap\nprint("ESCAPED", mmap.mmap(open("/dev/mem", "r+b").fileno(), 10))',
  'import pty\npty.spawn("/bin/sh")\nprint("ESCAPED")',
  'import multiprocessing\nmultiprocessing.Process(target=print).start()\nprint("ESCAPED")',
  'import threading\nthreading.Thread(target=print).start()\nprint("ESCAPED")',
  'import webbrowser\nprint("ESCAPED" if webbrowser.open("http://127.0.0.1:PORT") else "none")',
  'import resource\nprint("none")',
  'import signal\nsignal.raise_signal(9)\nprint("none")',
].map((code, at) => attempt(`system ${at + 1}`, code));

const sockets = [
  'import socket\nsocket.create_connection(("127.0.0.1", PORT), 2)\nprint("connected in name")',
  'import socket\ns = socket.socket()\ns.connect(("127.0.0.1", PORT))\ns.send(b"x")',
  'import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.sendto(b"x", ("127.0.0.1", PORT))',
  'import socket\nprint("ESCAPED", socket.socket(socket.AF_UNIX).connect("/run/dbus/system_bus_socket"))',
  'import socket\ns = socket.socket()\ns.bind(("127.0.0.1", 0))\ns.listen()\nprint(s.getsockname())',
  'import urllib.request\nprint("ESCAPED", urllib.request.urlopen("http://127.0.0.1:PORT", timeout=2).read())',
  'import urllib.request\nprint("ESCAPED", urllib.request.urlopen("file:///etc/passwd").read())',
  'import http.client\nc = http.client.HTTPConnection("127.0.0.1", PORT, timeout=2)\nc.request("GET", "/")\nprint("ESCAPED", c.getresponse().read())',
  'import ftplib\nftplib.FTP("127.0.0.1", timeout=2)\nprint("ESCAPED")',
  'import smtplib\nsmtplib.SMTP("127.0.0.1", PORT, timeout=2)\nprint("ESCAPED")',
  'import asyncio\nprint("ESCAPED", asyncio.run(asyncio.open_connection("127.0.0.1", PORT)))',
  'import ssl, socket\nssl.create_default_context().wrap_socket(socket.create_connection(("127.0.0.1", PORT), 2))\nprint("ESCAPED")',
  'import xmlrpc.client\nprint("ESCAPED", xmlrpc.client.ServerProxy("http://127.0.0.1:PORT").x())',
  'from pyodide.http import open_url\nprint("ESCAPED", open_url("http://127.0.0.1:PORT").read())',
  'from pyodide.http import pyfetch\nprint(pyfetch("http://127.0.0.1:PORT"))',
  'import pyodide_js\npyodide_js.loadPackage("http://127.0.0.1:PORT/x.whl")',
  'import micropip\nmicropip.install("http://127.0.0.1:PORT/x.whl")',
  'import pyodide_js\nprint(pyodide_js.mountNodeFS("/x", "/etc")); print("ESCAPED", open("/x/passwd").read())',
].map((code, at) => attempt(`socket ${at + 1}`, code));

/** JavaScript globals, none of which are available to Python. */
const names = (
  'fetch XMLHttpRequest WebSocket EventSource Worker SharedWorker importScripts navigator indexedDB caches self ' +
  'globalThis eval Function WebTransport RTCPeerConnection BroadcastChannel postMessage MessageChannel MessagePort ' +
  'WebAssembly SharedArrayBuffer Atomics crypto performance location process require Buffer ipcRenderer window ' +
  'document localStorage setInterval queueMicrotask Reflect Proxy console'
).split(' ');
const globals = names.map((name) => attempt(`js.${name}`, `import js\nprint("ESCAPED", js.${name})`));

/** Ways from a Python object to JavaScript's Function. */
const constructors = [
  'from pyodide.code import run_js\nprint("ESCAPED", run_js("self"))',
  'from pyodide.code import run_js\nprint("ESCAPED", run_js("1+1"))',
  'import js\nprint("ESCAPED", js.setTimeout.constructor("return self")())',
  'import js\nprint("ESCAPED", js.Object.fromEntries.constructor("return self")())',
  'import js\njs.setTimeout("self.x = 1", 0)\nprint("none")',
  'import pyodide_js\nprint("ESCAPED", pyodide_js.runPython.constructor("return self")())',
  'import pyodide_js\nprint("ESCAPED", pyodide_js.constructor.constructor("return self")())',
  'print("ESCAPED", llm_query.__globals__["_call_host"].constructor("return self")())',
  'f = llm_query.__closure__\nfor c in f:\n  g = getattr(c.cell_contents, "__globals__", None)\n  if g: print("ESCAPED", g["_call_host"].constructor("return self")())',
  'import sys\nhost = sys.modules.get("_muster_host")\nprint("none" if host is None else host.call.constructor("return self")())',
  'import _muster_host\nprint("ESCAPED", _muster_host.call.constructor("return self")())',
  'import js\nprint("ESCAPED", js.Object.getPrototypeOf(js.setTimeout).constructor("return self")())',
  'import js\nprint("ESCAPED", js.Object.constructor.constructor("return self")())',
  'from pyodide.ffi import create_proxy\nimport js\nprint("ESCAPED", create_proxy(print).constructor("return self")())',
  'from pyodide.ffi import to_js\nprint("ESCAPED", to_js([1]).constructor.constructor("return self")())',
  'from pyodide.ffi import to_js\nprint("ESCAPED", to_js({"a": 1}).constructor.constructor("return self")())',
  'import js\nprint("ESCAPED", js.setTimeout.__proto__.constructor.call(None, "return self")())',
  'import _pyodide_core\nprint([n for n in dir(_pyodide_core)][:3])',
  'from _pyodide._importhook import JsFinder\nimport sys\nfinder = [f for f in sys.meta_path if isinstance(f, JsFinder)][0]\nfinder.register_js_module("m", finder)\nimport m\nprint("none")',
  'import sys\nfor f in sys.meta_path:\n  mods = getattr(f, "jsproxies", {})\n  for n in list(mods): print("ESCAPED" if hasattr(mods[n], "fetch") else "none")',
  'import gc\nfor o in gc.get_objects():\n  if type(o).__name__ == "JsProxy" and hasattr(o, "fetch"): print("ESCAPED", o)',
  'import gc\nfor o in gc.get_objects():\n  if type(o).__name__ == "JsProxy" and hasattr(o, "postMessage"): print("ESCAPED", o)',
].map((code, at) => attempt(`constructor ${at + 1}`, code));

/** Code that attacks Muster's own additions to the interpreter. */
const bombs = [
  'print("x" * 50_000_000)',
  'import sys\nfor i in range(100_000): sys.stderr.write("y" * 100)',
  'import sys\nsys.setrecursionlimit(10**6)\ndef f(): return f()\nf()',
  'a = "a" * (2**31)',
  'b = 10 ** 10 ** 7',
  'import sys\nsys.stdout.close()',
  'import sys\nsys.exit(3)',
  'raise SystemExit',
  'import os\nos._exit(3)',
  'import builtins\nbuiltins.print = None',
  'llm_query = None\nFINAL = None',
  '__builtins__["exec"] = None',
  'class X(str):\n  def __str__(self): raise RuntimeError\nFINAL(X())',
  'answer = {"ready": True, "content": object()}',
  'import json\njson.dumps = lambda *a, **k: "forged"',
  'globals().clear()',
].map((code, at) => attempt(`bomb ${at + 1}`, code));

export const attempts: readonly Attempt[] = [...system, ...sockets, ...globals, ...constructors];
export { bombs };
