class Afterword < Formula
  desc "Lessons from your Claude Code sessions, as notes of your own"
  homepage "@repository@"
  version "@version@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    depends_on arch: :arm64
    url "@files@/@mac_file@"
    sha256 "@mac_sha256@"
  end

  on_linux do
    depends_on arch: :x86_64
    url "@files@/@linux_file@"
    sha256 "@linux_sha256@"
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
