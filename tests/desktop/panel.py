"""A panel and a notification server for tests: hosts the tray icon and keeps what it is told.

Run as a program it owns the two names on the session bus; `Panel` starts it and asks it. The menu is worked as a panel would:
through com.canonical.dbusmenu.
"""
import json
import os
import subprocess
import sys
import time

import dbus
import dbus.bus
import dbus.mainloop.glib
import dbus.service

from driver import PATIENCE, until

WATCHER = "org.kde.StatusNotifierWatcher"
NOTES = "org.freedesktop.Notifications"
MENU = "com.canonical.dbusmenu"
TEST = "test.Panel"


class Watcher(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(bus, "/StatusNotifierWatcher")
        self.items = []

    @dbus.service.method(WATCHER, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, service, sender=None):
        item = [sender, service] if service.startswith("/") else [service, "/StatusNotifierItem"]
        self.items.append(item)

    @dbus.service.method(WATCHER, in_signature="s")
    def RegisterStatusNotifierHost(self, service):
        pass

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.GetAll(interface)[name]

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        names = dbus.Array(["".join(item) for item in self.items], signature="s")
        return {"IsStatusNotifierHostRegistered": True, "RegisteredStatusNotifierItems": names, "ProtocolVersion": 0}

    @dbus.service.method(TEST, out_signature="s")
    def Items(self):
        return json.dumps(self.items)


class Server(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(bus, "/org/freedesktop/Notifications")
        self.notes = []

    @dbus.service.method(NOTES, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, name, replaces, icon, summary, body, actions, hints, timeout):
        number = len(self.notes) + 1
        self.notes.append({"id": number, "summary": summary, "body": body, "actions": list(actions)})
        return number

    @dbus.service.method(NOTES, in_signature="u")
    def CloseNotification(self, number):
        self.NotificationClosed(number, 3)

    @dbus.service.method(NOTES, out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body"]

    @dbus.service.method(NOTES, out_signature="ssss")
    def GetServerInformation(self):
        return "panel", "test", "1", "1.2"

    @dbus.service.signal(NOTES, signature="us")
    def ActionInvoked(self, number, action):
        pass

    @dbus.service.signal(NOTES, signature="uu")
    def NotificationClosed(self, number, reason):
        pass

    @dbus.service.method(TEST, out_signature="s")
    def Shown(self):
        return json.dumps(self.notes)

    @dbus.service.method(TEST, in_signature="us")
    def Click(self, number, action):
        self.ActionInvoked(number, action)
        self.NotificationClosed(number, 2)


class Panel:
    """The panel, from a test's side."""

    def __init__(self, log, names=(WATCHER, NOTES)):
        """With `names` of one alone it leaves the other to another program."""
        self.process = subprocess.Popen([sys.executable, __file__, *names], stdout=log, stderr=log)
        self.bus = dbus.bus.BusConnection(os.environ["DBUS_SESSION_BUS_ADDRESS"])
        until(lambda: all(self.bus.name_has_owner(name) for name in names), "the panel is there")

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)

    def item(self):
        """The tray icon's address; waits for it."""

        def alive():
            items = json.loads(self._test(WATCHER, "/StatusNotifierWatcher").Items())
            return next((item for item in reversed(items) if self.bus.name_has_owner(item[0])), None)

        return until(alive, "a tray icon")

    def property(self, name):
        service, path = self.item()
        item = dbus.Interface(self.bus.get_object(service, path), dbus.PROPERTIES_IFACE)
        return item.Get("org.kde.StatusNotifierItem", name)

    def menu(self):
        """The menu's entries: words → (number, properties); waits until the icon has one."""

        def asked():
            try:
                return self._entries()
            except dbus.DBusException:
                # It is announced before its menu is there, and an icon that ends takes its menu along.
                return None

        return until(asked, "the icon's menu")

    def _entries(self):
        menu = self._menu()
        menu.AboutToShow(0)
        _, (_, _, children) = menu.GetLayout(0, -1, dbus.Array([], signature="s"))
        entries = {}
        for number, properties, _ in children:
            if properties.get("type") != "separator":
                entries[str(properties.get("label", "")).replace("_", "")] = (int(number), dict(properties))
        return entries

    def choose(self, words):
        number, _ = until(lambda: self.menu().get(words), lambda: f"{words!r} in {list(self.menu())}")
        try:
            self._menu().Event(number, "clicked", dbus.Int32(0, variant_level=1), dbus.UInt32(int(time.time())))
        except dbus.DBusException as error:
            # It may end before it answers.
            if error.get_dbus_name() != "org.freedesktop.DBus.Error.NoReply":
                raise

    def notes(self):
        """The notifications shown so far."""
        return json.loads(self._test(NOTES, "/org/freedesktop/Notifications").Shown())

    def click(self, number, action="default"):
        self._test(NOTES, "/org/freedesktop/Notifications").Click(dbus.UInt32(number), action)

    def _menu(self):
        service, path = self.item()
        at = self.property("Menu")
        return dbus.Interface(self.bus.get_object(service, at), MENU)

    def _test(self, service, path):
        return dbus.Interface(self.bus.get_object(service, path), TEST)


def main():
    from gi.repository import GLib

    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    kept = [Watcher(bus), Server(bus), *(dbus.service.BusName(name, bus) for name in sys.argv[1:])]
    assert kept
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
