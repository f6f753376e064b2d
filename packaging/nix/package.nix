# The command alone: nix-build -E 'with import <nixpkgs> {}; callPackage ./package.nix {}'
{ lib, stdenv, fetchurl, autoPatchelfHook, installShellFiles }:

stdenv.mkDerivation {
  pname = "afterword";
  version = "@version@";

  src = fetchurl ({
    x86_64-linux = {
      url = "@files@/@linux_file@";
      sha256 = "@linux_sha256@";
    };
    aarch64-linux = {
      url = "@files@/@linux_arm_file@";
      sha256 = "@linux_arm_sha256@";
    };
    x86_64-darwin = {
      url = "@files@/@mac_intel_file@";
      sha256 = "@mac_intel_sha256@";
    };
    aarch64-darwin = {
      url = "@files@/@mac_file@";
      sha256 = "@mac_sha256@";
    };
  }.${stdenv.hostPlatform.system});

  nativeBuildInputs = [ installShellFiles ] ++ lib.optionals stdenv.hostPlatform.isLinux [ autoPatchelfHook ];
  buildInputs = lib.optionals stdenv.hostPlatform.isLinux [ stdenv.cc.cc.lib ];

  installPhase = ''
    install -D afterword $out/bin/afterword
    installManPage man/*.1
    installShellCompletion --bash --name afterword completions/afterword.bash
    installShellCompletion --zsh completions/_afterword
    installShellCompletion --fish completions/afterword.fish
  '';

  meta = {
    description = "Lessons from your Claude Code sessions, as notes of your own";
    homepage = "@repository@";
    license = with lib.licenses; [ mit asl20 ];
    platforms = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
    mainProgram = "afterword";
  };
}
