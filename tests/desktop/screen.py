"""The screen from outside: what is drawn on it, and closing a window as a window manager does, with the message that one sends."""
import ctypes
import subprocess
import time

from driver import PATIENCE, soon, until

CLIENT_MESSAGE = 33
# Seconds that a dialog has for what was typed, before it is opened again.
TAKEN = 4
ALL_PLANES, Z_PIXMAP = 0xFFFFFFFF, 2


class Message(ctypes.Structure):
    """XClientMessageEvent of Xlib.h."""

    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong), ("format", ctypes.c_int), ("data", ctypes.c_long * 5)]


class Event(ctypes.Union):
    """XEvent: as large as its largest kind."""

    _fields_ = [("message", Message), ("pad", ctypes.c_long * 24)]


class Picture(ctypes.Structure):
    """The beginning of XImage of Xlib.h."""

    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("offset", ctypes.c_int), ("format", ctypes.c_int),
                ("data", ctypes.c_void_p), ("byte_order", ctypes.c_int), ("unit", ctypes.c_int), ("bit_order", ctypes.c_int),
                ("pad", ctypes.c_int), ("depth", ctypes.c_int), ("bytes_per_line", ctypes.c_int), ("bits_per_pixel", ctypes.c_int)]


class Screen:
    """The upper left of the screen, where a window stands that nobody moves."""

    def __init__(self, width=1120, height=760):
        self.size = (width, height)
        self.x11 = ctypes.CDLL("libX11.so.6")
        for function in ("XOpenDisplay", "XDefaultRootWindow", "XGetImage"):
            getattr(self.x11, function).restype = ctypes.c_void_p
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(None))
        self.root = ctypes.c_void_p(self.x11.XDefaultRootWindow(self.display))

    def colours(self):
        """How many colours are to be seen: one of an empty window, many where there are words."""
        picture = self.x11.XGetImage(self.display, self.root, 0, 0, *self.size, ctypes.c_ulong(ALL_PLANES), Z_PIXMAP)
        shown = ctypes.cast(picture, ctypes.POINTER(Picture)).contents
        pixels = ctypes.string_at(shown.data, shown.bytes_per_line * shown.height)
        self.x11.XDestroyImage(ctypes.c_void_p(picture))
        return len(set(memoryview(pixels).cast("I")))


def close_window(name="Afterword"):
    """Asks the visible window of this name to close."""
    search = ["xdotool", "search", "--onlyvisible", "--name", f"^{name}$"]
    found = until(lambda: subprocess.run(search, capture_output=True, text=True, check=False).stdout.split(), "the window on the screen")
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    x11.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.POINTER(Event)]
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = x11.XOpenDisplay(None)
    window = int(found[-1])
    event = Event()
    event.message.type = CLIENT_MESSAGE
    event.message.window = window
    event.message.message_type = x11.XInternAtom(display, b"WM_PROTOCOLS", 0)
    event.message.format = 32
    event.message.data[0] = x11.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    x11.XSendEvent(display, window, 0, 0, ctypes.byref(event))
    # Closing the display sends what is still in its buffer.
    x11.XCloseDisplay(display)


def answer_dialog(opens, path, taken):
    """Names a file or a folder in the system's own dialog, as one types it there, until it is taken.

    While the dialog still reads its folder it loses letters, and its list of completions may take the Return: then it is closed and opened again.
    """
    shown = ["xdotool", "search", "--onlyvisible", "--name", "."]
    named = lambda window: subprocess.run(["xdotool", "getwindowname", window], capture_output=True, text=True, check=False).stdout.strip()
    press = lambda *arguments: subprocess.run(["xdotool", *arguments], check=False, timeout=PATIENCE)

    def dialog():
        found = subprocess.run(shown, capture_output=True, text=True, check=False).stdout.split()
        return next((window for window in found if named(window) not in ("", "Afterword", "Dunst")), None)

    def closed(key):
        press("key", key)
        return soon(lambda: dialog() is None, TAKEN)

    def answered():
        opens()
        press("windowfocus", "--sync", until(dialog, "the dialog"))
        # A slash at once opens the field for a path.
        press("type", "--delay", "30", str(path))
        if not (closed("Return") or closed("Return")):
            until(lambda: closed("Escape"), "the dialog is closed")
        return soon(taken, TAKEN)

    until(answered, f"{path} is taken")
