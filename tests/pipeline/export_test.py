"""The export in Python: loads, says what it is, and equals a forward pass written here from the network file."""

import hashlib
import json
import pathlib
import tempfile
import unittest

import h5py
import numpy
import torch
import torch.nn.functional as F

import rankfile


def forward(tensors, planes, blocks, elu):
    """The network of lib/net/architecture.h, batch norm in evaluation mode."""
    act = F.elu if elu else F.relu

    def conv(x, name):
        weight = tensors[name + ".weight"]
        y = F.conv2d(x, weight, tensors.get(name + ".bias"), padding=weight.shape[2] // 2)
        if name + ".bn.weight" not in tensors:
            return y
        bn = name + ".bn."
        scale = tensors[bn + "weight"] / torch.sqrt(tensors[bn + "running_var"] + 1e-5)
        shift = tensors[bn + "bias"] - tensors[bn + "running_mean"] * scale
        return y * scale.view(1, -1, 1, 1) + shift.view(1, -1, 1, 1)

    def linear(x, name):
        return F.linear(x, tensors[name + ".weight"], tensors[name + ".bias"])

    if blocks is None:
        x, i = planes, 0
        while f"conv{i}.weight" in tensors:
            x, i = act(conv(x, f"conv{i}")), i + 1
    else:
        x = act(conv(planes, "stem"))
        for i in range(blocks):
            x = act(conv(act(conv(x, f"block{i}.conv1")), f"block{i}.conv2") + x)
    policy = linear(act(conv(x, "policy.conv")).flatten(1), "policy.linear")
    value = torch.tanh(linear(act(linear(act(conv(x, "value.conv")).flatten(1), "value.hidden")), "value.out"))
    return policy, value


class Export(unittest.TestCase):
    def one_iteration(self, run, sets):
        for stage in ("generate", "train", "gate"):
            config = rankfile.SMOKE if stage == "generate" else None
            result = rankfile.call(stage, run, config=config, sets=sets if config else ())
            self.assertEqual(result.returncode, 0, result.stderr)

    def check(self, sets, planes, actions, blocks=1, elu=False):
        with tempfile.TemporaryDirectory() as folder:
            run, to = pathlib.Path(folder) / "a run", pathlib.Path(folder) / "out put"
            self.one_iteration(run, sets)
            result = rankfile.call("export", run, "--to", to)
            self.assertEqual(result.returncode, 0, result.stderr)
            extra = {"model_card.json": ""}
            net = torch.jit.load(str(to / "network.pt"), _extra_files=extra)
            card = json.loads((to / "model_card.json").read_text())
            self.assertEqual(json.loads(extra["model_card.json"])["network_digest"], card["network_digest"])
            self.assertEqual(hashlib.sha256((to / "network.pt").read_bytes()).hexdigest(), card["network_pt_digest"])
            self.assertEqual(len(card["actions"]), actions)
            self.assertEqual(card["input"]["shape"][1:], list(planes))
            self.assertEqual(len(card["input"]["planes"]), planes[0])
            self.assertIn(card["network_digest"][:12], (to / "model_card.md").read_text())

            with h5py.File(run / "networks" / "000001.h5") as file:
                self.assertEqual(file.attrs["digest"], card["network_digest"])
                tensors = {n: torch.from_numpy(numpy.array(d)) for n, d in file["tensors"].items()}
            torch.manual_seed(1)
            for batch in (1, 2, 7, 32):
                x = (torch.rand(batch, *planes) < 0.3).float()
                with torch.no_grad():
                    policy, value = net(x)
                    expected_policy, expected_value = forward(tensors, x, blocks, elu)
                self.assertEqual(tuple(policy.shape), (batch, actions))
                self.assertEqual(tuple(value.shape), (batch, 1))
                self.assertLess((policy - expected_policy).abs().max().item(), 1e-5)
                self.assertLess((value - expected_value).abs().max().item(), 1e-5)
            # Again, over the first one, and another network of the run.
            self.assertEqual(rankfile.call("export", run, "--to", to, "--network", 0).returncode, 0)
            self.assertEqual(json.loads((to / "model_card.json").read_text())["iteration"], 0)
            missing = rankfile.call("export", run, "--network", 9)
            self.assertEqual(missing.returncode, 66)
            self.assertIn("no network 9", missing.stderr)

    def test_residual(self):
        self.check((), (2, 3, 3), 9)

    def test_oblong_elu_without_batch_norm(self):
        self.check(("game.name=gomoku", "game.width=5", "game.height=4", "game.line=4", "game.planes=classic4",
                    "network.activation=elu", "network.batch_norm=false", "selfplay.games_per_iteration=4"),
                   (4, 4, 5), 20, elu=True)

    def test_plain(self):
        self.check(("network.kind=plain", "network.plain_channels=[4, 6]"), (2, 3, 3), 9, blocks=None)

    def test_a_folder_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            run = pathlib.Path(folder) / "run"
            self.one_iteration(run, ())
            (pathlib.Path(folder) / "file").write_text("x")
            result = rankfile.call("export", run, "--to", pathlib.Path(folder) / "file" / "below")
            self.assertEqual(result.returncode, 73)
            self.assertIn("cannot write", result.stderr)


if __name__ == "__main__":
    unittest.main()
