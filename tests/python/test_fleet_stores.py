"""overlane.fleet over s3://, gs:// and hf://: their own packages, and a server of this machine in place of the stores."""

import contextlib
import os
import pathlib
import shutil
import tempfile
import unittest
import unittest.mock

import fleet_stores
import support

import overlane

try:
    import distributed  # noqa: F401
    import gcsfs  # noqa: F401
    import pyarrow  # noqa: F401
    import s3fs  # noqa: F401
except ImportError as error:
    raise unittest.SkipTest(f"{error.name} is not installed; tests/fleet/install.sh installs it.")

# The Hub's package reads its address when it is loaded, so that all tests have one server.
_STACK = contextlib.ExitStack()
STORE: fleet_stores.Store


def setUpModule():
    global STORE
    STORE = _STACK.enter_context(fleet_stores.served())
    home = _STACK.enter_context(tempfile.TemporaryDirectory())
    variables = {
        "AWS_ENDPOINT_URL": STORE.url, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": home + "/none", "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_SHARED_CREDENTIALS_FILE": home + "/none", "STORAGE_EMULATOR_HOST": STORE.url, "HF_ENDPOINT": STORE.url,
        "HF_HOME": home, "HF_HUB_DISABLE_TELEMETRY": "1",
    }  # fmt: skip
    _STACK.enter_context(unittest.mock.patch.dict(os.environ, variables))
    from overlane.fleet._preload import quiet_stores

    quiet_stores()


def tearDownModule():
    _STACK.close()


class Stores:
    """What each store does; URL is its folder "runs"."""

    URL = ""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        STORE.clear()
        for name in ("a/one", "a/deep/two", "b/three", "four", "odd #%41 \u00fc?", ".hidden/five", "b/.hidden"):
            fleet_stores.add(STORE, f"runs/{name}.overlane", support.PINNED)
        STORE.objects["runs/readme.md"] = b"no trace"
        STORE.objects["runs/bad.json"] = b"{"

    def listed(self, url=None, **options):
        from overlane.fleet._files import find

        return {file.url.partition("/runs/")[2].removeprefix("runs/"): file for file in find(url or self.URL, options)}

    def read(self, name):
        """The row of an object, as a worker reads it."""
        from overlane.fleet._row import read_trace

        fleet_stores.add(STORE, f"runs/{name}", support.PINNED)
        file = self.listed()[name]
        return read_trace({**file._asdict(), "grouping": "", "version": "", "options": {}, "easiest": False})

    def sentence(self, url=None, **options):
        with self.assertRaises(overlane.Error) as raised:
            self.listed(url, **options)
        self.assertNotIn("\n", str(raised.exception))
        return raised.exception.what

    def test_a_scan_reads_what_is_new(self):
        out = self.folder / "fleet"
        first = overlane.fleet.scan(self.URL, out, workers=1, easiest=False)
        self.assertEqual((first.done, first.failed), (6, 1))
        rows = {row["name"]: row for row in overlane.fleet.open(out).to_pylist()}
        self.assertEqual(rows["two.overlane"]["grouping"], "a/deep")
        self.assertEqual({row["verdict_id"] for row in rows.values() if row["error"] is None}, {"copies"})
        self.assertIn(f"{self.URL}/bad.json", rows["bad.json"]["error"])
        before = rows["four.overlane"]["stamp"]
        fleet_stores.add(STORE, "runs/four.overlane", support.TWO_GPUS)
        again = overlane.fleet.scan(self.URL, out, workers=1, easiest=False)
        self.assertEqual((again.done, again.skipped), (1, 5))
        rows = {row["name"]: row for row in overlane.fleet.open(out).to_pylist()}
        self.assertEqual(rows["four.overlane"]["gpus"], 2)
        self.assertNotEqual(rows["four.overlane"]["stamp"], before)

    def test_listings_have_pages_and_leave_hidden_folders(self):
        names = {"a/one", "a/deep/two", "b/three", "four", "odd #%41 \u00fc?"}
        STORE.asked.clear()
        self.assertEqual(set(self.listed()), {name + ".overlane" for name in names} | {"bad.json"})
        self.assertGreater(len(STORE.asked), 4)
        self.assertFalse([one for one in STORE.asked if "hidden" in one])
        self.assertEqual(set(self.listed(self.URL + "/*/t*.overlane")), {"b/three.overlane"})
        (one,) = self.listed(self.URL + "/four.overlane").values()
        self.assertEqual(one.size, len(STORE.objects["runs/four.overlane"]))

    def test_an_object_that_is_not_given_is_a_row(self):
        for name, words in (
            ("denied.overlane", "access is denied; check the keys for this store."),
            ("gone.overlane", "it is not there any more."),
        ):
            self.assertEqual(self.read(name)["error"], "The file cannot be fetched: " + words)

    @unittest.mock.patch("overlane.fleet._row._AGAIN_AFTER_S", (0, 0))
    def test_a_store_that_is_busy_is_asked_again(self):
        self.assertIsNone(self.read("flaky.overlane").get("error"))

    def test_a_transfer_that_is_cut_goes_on(self):
        self.assertIsNone(self.read("cut.overlane").get("error"))
        self.assertTrue(STORE.cut)

    def test_what_is_not_there_is_a_sentence(self):
        for url in (self.URL + "x", self.URL.replace("/runs", "/none")):
            self.assertEqual(self.sentence(url), "There is no such file or folder.")

    def test_keys_that_do_not_fit_are_a_sentence(self):
        STORE.locked = True
        self.assertEqual(
            self.sentence(), "The store cannot be listed: access is denied; check the keys for this store."
        )

    def test_a_fetched_file_is_gone_afterwards(self):
        with unittest.mock.patch.object(tempfile, "tempdir", str(self.folder)):
            self.assertIsNone(self.read("six.overlane").get("error"))
        self.assertEqual(list(self.folder.iterdir()), [])


class S3(Stores, unittest.TestCase):
    URL = "s3://bucket/runs"

    def test_keys_that_are_missing_are_a_sentence(self):
        with unittest.mock.patch.dict(os.environ):
            del os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
            said = self.sentence(skip_instance_cache=True)
        self.assertEqual(
            said, "The store cannot be listed: there are no keys for this store; set them as its package says."
        )


class CloudStorage(Stores, unittest.TestCase):
    URL = "gs://bucket/runs"


class Hub(Stores, unittest.TestCase):
    URL = "hf://datasets/team/runs/runs"

    @unittest.mock.patch("overlane.fleet._row._AGAIN_AFTER_S", (0, 0))
    def test_a_store_without_an_answer_is_a_row(self):
        row = self.read("down.overlane")
        self.assertEqual(
            row["error"], "The file cannot be fetched: the store answers with status 503; try again later."
        )

    def test_a_server_that_is_silent_is_a_sentence(self):
        import socket

        import huggingface_hub.constants

        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}"
            with unittest.mock.patch.multiple(huggingface_hub.constants, ENDPOINT=url, HF_HUB_ETAG_TIMEOUT=1):
                with unittest.mock.patch("huggingface_hub.constants.DEFAULT_REQUEST_TIMEOUT", 1):
                    said = self.sentence(skip_instance_cache=True, endpoint=url)
        self.assertEqual(
            said, "The store cannot be listed: the store does not answer; check its address and the network."
        )

    def test_a_server_that_is_away_is_a_sentence(self):
        import huggingface_hub.constants

        with unittest.mock.patch.object(huggingface_hub.constants, "ENDPOINT", "http://127.0.0.1:1"):
            said = self.sentence(skip_instance_cache=True, endpoint="http://127.0.0.1:1")
        self.assertEqual(
            said, "The store cannot be listed: the store does not answer; check its address and the network."
        )


if __name__ == "__main__":
    unittest.main()
