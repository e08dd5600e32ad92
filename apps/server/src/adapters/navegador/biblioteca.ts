/**
 * The part of whatsapp-web.js that we use. Its results come from a page we do not control, so they stay `unknown`
 * until `formas.ts` parses them.
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
  /** Resolves when the service has the message, not when the page shows it. */
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
  readonly semProtecao: boolean
}

export interface Biblioteca {
  readonly criar: (abertura: Abertura) => ClienteWeb
  readonly arquivo: (mime: string, base64: string, nome: string) => ArquivoWeb
}

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

/** Loads whatsapp-web.js with the first session of this kind, so other servers do not pay for the import. */
export async function carregarBiblioteca(): Promise<Biblioteca> {
  const { default: web } = await import('whatsapp-web.js')
  return {
    criar: ({ executavel, perfil, semProtecao }) =>
      new web.Client({
        // This server creates and deletes the profile folder, so the library's own session storage stays off.
        authStrategy: new web.NoAuth(),
        puppeteer: {
          executablePath: executavel,
          userDataDir: perfil,
          args: argumentos({ semProtecao }),
          headless: true,
          // A pipe instead of a local port, which any other program on this machine could connect to.
          pipe: true,
          // The server closes its browsers in its own shutdown order.
          handleSIGINT: false,
          handleSIGTERM: false,
          handleSIGHUP: false,
        },
        webVersionCache: { type: 'none' },
        authTimeoutMs: AUTENTICAR_MS,
      }),
    arquivo: (mime, base64, nome) => new web.MessageMedia(mime, base64, nome),
  }
}

const AUTENTICAR_MS = 60_000
