class Afterword < Formula
  desc "Lessons from your Claude Code sessions, as notes of your own"
  homepage "@repository@"
  version "@version@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@files@/@mac_file@"
      sha256 "@mac_sha256@"
    end
    on_intel do
      url "@files@/@mac_intel_file@"
      sha256 "@mac_intel_sha256@"
    end
  end

  on_linux do
    on_arm do
      url "@files@/@linux_arm_file@"
      sha256 "@linux_arm_sha256@"
    end
    on_intel do
      url "@files@/@linux_file@"
      sha256 "@linux_sha256@"
    end
  end

  def install
    bin.install "afterword"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/afterword.bash" => "afterword"
    zsh_completion.install "completions/_afterword"
    fish_completion.install "completions/afterword.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/afterword --version")
  end
end
