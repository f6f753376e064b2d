# The command alone: nix-build -E 'with import <nixpkgs> {}; callPackage ./package.nix {}'
{ lib, stdenv, fetchurl, autoPatchelfHook, installShellFiles }:

stdenv.mkDerivation {
  pname = "afterword";
  version = "@version@";

  src = fetchurl (if stdenv.hostPlatform.isDarwin then {
    url = "@files@/@mac_file@";
    sha256 = "@mac_sha256@";
  } else {
    url = "@files@/@linux_file@";
    sha256 = "@linux_sha256@";
  });

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
    platforms = [ "x86_64-linux" "aarch64-darwin" ];
    mainProgram = "afterword";
  };
}
