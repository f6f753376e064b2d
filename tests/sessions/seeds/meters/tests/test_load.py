import unittest

from load import sums


class Sums(unittest.TestCase):
    def test_adds_per_meter(self):
        self.assertEqual(dict(sums([("A", "d", 1.0), ("A", "e", 2.0)])), {"A": 3.0})
