const INSTALL_PATHS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
    '/opt/google/chrome/chrome',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files\\Chromium\\Application\\chrome.exe',
  ],
}

export function installPaths(platform: NodeJS.Platform): readonly string[] {
  return INSTALL_PATHS[platform] ?? []
}

/** Parses `CHROME_PATHS`, separated by `:`, `;` or `,`. A colon after a drive letter belongs to the path. */
export function parseChromePaths(list: string | undefined): string[] {
  return (list ?? '')
    .split(/[:;,](?!\\)/)
    .map((path) => path.trim())
    .filter((path) => path !== '')
}
