import { extname } from 'node:path';

/** Files that a desktop would run instead of showing, by extension; on macOS some are folders. */
const PROGRAMS = new Set(
  [
    // Windows
    'exe com bat cmd ps1 psm1 psd1 vbs vbe vb js jse ws wsf wsc wsh sct msi msp mst msc scr pif lnk url website hta reg',
    'cpl jar jnlp inf scf chm hlp gadget application appref-ms appx appxbundle msix msixbundle settingcontent-ms',
    'library-ms search-ms py pyw pyc pyz rb pl diagcab iso img vhd vhdx xll',
    // macOS
    'app command terminal tool workflow action scpt scptd applescript pkg mpkg dmg prefpane qlgenerator saver',
    'webloc inetloc fileloc ftploc term osax bundle plugin kext service mobileconfig',
    // Linux
    'desktop appimage sh bash zsh run bin deb rpm flatpakref flatpak snap',
  ].flatMap((line) => line.split(' ')),
);

/** Whether the system may run the file when asked to open it: an agent may have created it. */
export function wouldRun(
  path: string,
  found: { readonly mode: number; isFile(): boolean },
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (PROGRAMS.has(extname(path).slice(1).toLowerCase())) return true;
  return platform !== 'win32' && found.isFile() && (found.mode & 0o111) !== 0;
}
