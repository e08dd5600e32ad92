/**
 * The part of whatsapp-web.js that we use. Its results come from a page we do not control, so they stay `unknown`
 * until `shapes.ts` parses them.
 */

export interface WebClient {
  on(event: string, listener: (...values: unknown[]) => void): unknown
  removeAllListeners(): unknown
  initialize(): Promise<void>
  destroy(): Promise<void>
  logout(): Promise<void>
  getState(): Promise<unknown>
  getChats(): Promise<unknown[]>
  getChatById(id: string): Promise<unknown>
  getContactLidAndPhone(ids: string[]): Promise<unknown[]>
  getMessageById(id: string): Promise<unknown>
  requestPairingCode(telefone: string): Promise<string>
  sendReaction(messageId: string, emoji: string): Promise<unknown>
  sendMessage(to: string, content: string | WebFile, options: WebSendOptions): Promise<unknown>
  readonly info: unknown
  readonly pupBrowser?: RunningBrowser | null
}

export interface RunningBrowser {
  on(event: 'disconnected', listener: () => void): unknown
  isConnected(): boolean
}

export interface WebFile {
  mimetype: string
  data: string
  filename?: string | null
  filesize?: number | null
}

export interface WebSendOptions {
  /** Resolves when the service has the message, not when the page shows it. */
  readonly waitUntilMsgSent: true
  readonly linkPreview: false
  readonly quotedMessageId?: string
  readonly caption?: string
  readonly sendAudioAsVoice?: boolean
  readonly sendMediaAsDocument?: boolean
  readonly sendMediaAsSticker?: boolean
}

/**
 * Environment of every browser process. A fault of the renderer must not read the server's secrets, so nothing else
 * of the server's environment is passed on; Windows needs its own folders.
 */
export function browserEnvironment(home: string, own: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const names = ['PATH', 'LANG', 'TZ', ...(process.platform === 'win32' ? ['SystemRoot', 'TEMP', 'TMP'] : [])]
  const passed = names.flatMap((name) => {
    const value = own[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(passed), HOME: home }
}

export interface LaunchOptions {
  readonly executable: string
  readonly profile: string
  readonly withoutSandbox: boolean
}

export interface WebLibrary {
  readonly createClient: (launch: LaunchOptions) => WebClient
  readonly createFile: (mime: string, base64: string, name: string) => WebFile
}

const PAGE_MB = 512
const AUTH_TIMEOUT_MS = 60_000

export function chromeArguments({ withoutSandbox }: Pick<LaunchOptions, 'withoutSandbox'>): string[] {
  return [
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--renderer-process-limit=1',
    `--js-flags=--max-old-space-size=${PAGE_MB}`,
    ...(withoutSandbox ? ['--no-sandbox'] : []),
  ]
}

export async function loadWebLibrary(): Promise<WebLibrary> {
  const { default: web } = await import('whatsapp-web.js')
  return {
    createClient: ({ executable, profile, withoutSandbox }) =>
      new web.Client({
        // This server creates and deletes the profile folder, so the library's own session storage stays off.
        authStrategy: new web.NoAuth(),
        puppeteer: {
          executablePath: executable,
          userDataDir: profile,
          env: browserEnvironment(profile),
          args: chromeArguments({ withoutSandbox }),
          headless: true,
          // A pipe instead of a local port, which any other program on this machine could connect to.
          pipe: true,
          // The server closes its browsers in its own shutdown order.
          handleSIGINT: false,
          handleSIGTERM: false,
          handleSIGHUP: false,
        },
        webVersionCache: { type: 'none' },
        authTimeoutMs: AUTH_TIMEOUT_MS,
      }),
    createFile: (mime, base64, name) => new web.MessageMedia(mime, base64, name),
  }
}
