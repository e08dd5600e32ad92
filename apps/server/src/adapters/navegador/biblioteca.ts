/**
 * What we use of whatsapp-web.js, as narrow as it gets. What it answers comes out of a page of somebody else's: it is
 * `unknown` until `formas.ts` has read it.
 */

export interface ClienteWeb {
  on(evento: string, ouvinte: (...dados: unknown[]) => void): unknown
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
  sendReaction(idDaMensagem: string, emoji: string): Promise<unknown>
  sendMessage(para: string, conteudo: string | ArquivoWeb, opcoes: OpcoesDeEnvio): Promise<unknown>
  readonly info: unknown
  /** Set once the browser runs. */
  readonly pupBrowser?: NavegadorAberto | null
}

export interface NavegadorAberto {
  on(evento: 'disconnected', ouvinte: () => void): unknown
  isConnected(): boolean
}

export interface ArquivoWeb {
  mimetype: string
  data: string
  filename?: string | null
  filesize?: number | null
}

export interface OpcoesDeEnvio {
  /** Resolve when the service has it, and not when it is on the screen. */
  readonly waitUntilMsgSent: true
  readonly linkPreview: false
  readonly quotedMessageId?: string
  readonly caption?: string
  readonly sendAudioAsVoice?: boolean
  readonly sendMediaAsDocument?: boolean
  readonly sendMediaAsSticker?: boolean
}

export interface Abertura {
  readonly executavel: string
  readonly perfil: string
  /** Chrome refuses to run as root with its protection on. */
  readonly semProtecao: boolean
}

export interface Biblioteca {
  readonly criar: (abertura: Abertura) => ClienteWeb
  readonly arquivo: (mime: string, base64: string, nome: string) => ArquivoWeb
}

/** Megabytes that JavaScript of one page may take, before the page fails and is opened anew. */
const PAGINA_MB = 512

export function argumentos({ semProtecao }: Pick<Abertura, 'semProtecao'>): string[] {
  return [
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--renderer-process-limit=1',
    `--js-flags=--max-old-space-size=${PAGINA_MB}`,
    ...(semProtecao ? ['--no-sandbox'] : []),
  ]
}

/** The real one, loaded when the first session of this kind starts: nobody else pays for it. */
export async function carregarBiblioteca(): Promise<Biblioteca> {
  const { default: web } = await import('whatsapp-web.js')
  return {
    criar: ({ executavel, perfil, semProtecao }) =>
      new web.Client({
        // The folder is ours to make and to erase, so the library's own keepers of sessions stay out of it.
        authStrategy: new web.NoAuth(),
        puppeteer: {
          executablePath: executavel,
          userDataDir: perfil,
          args: argumentos({ semProtecao }),
          headless: true,
          // A pipe, and not a port of this machine that every other program of it could speak to.
          pipe: true,
          // The server ends its browsers itself, in its order.
          handleSIGINT: false,
          handleSIGTERM: false,
          handleSIGHUP: false,
        },
        // The page of today, and no copy of it in the working folder.
        webVersionCache: { type: 'none' },
        authTimeoutMs: AUTENTICAR_MS,
      }),
    arquivo: (mime, base64, nome) => new web.MessageMedia(mime, base64, nome),
  }
}

const AUTENTICAR_MS = 60_000
