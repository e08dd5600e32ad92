import { EventEmitter } from 'node:events'
import { basename } from 'node:path'
import type { WebFile, WebLibrary, WebClient, WebSendOptions } from '#adapters/navegador/browser/library.ts'

/** A fake WhatsApp Web page in the shapes of whatsapp-web.js, with its phone and customers. */

export interface FakeWebMessage {
  readonly id: { readonly fromMe: boolean; readonly remote: string; readonly id: string; readonly _serialized: string }
  readonly type: string
  body: string
  readonly from: string
  readonly to: string
  readonly timestamp: number
  readonly hasMedia: boolean
  ack: number
  readonly _data: Record<string, unknown>
  readonly downloadMedia: () => Promise<unknown>
  readonly [other: string]: unknown
}

export interface FakeMessageInput {
  readonly from?: string
  readonly to?: string
  readonly name?: string
  readonly text?: string
  readonly id?: string
  readonly type?: string
  readonly at?: number
  readonly file?: {
    readonly mimetype: string
    readonly data: string
    readonly filename?: string
    readonly size?: number
  }
  readonly extra?: Record<string, unknown>
}

const OWN_ADDRESS = '5511990000001@c.us'
const nowSeconds = (): number => Math.floor(Date.now() / 1_000)

export class FakeWebClient extends EventEmitter implements WebClient {
  readonly info = { pushname: 'Loja', wid: { _serialized: OWN_ADDRESS, user: '5511990000001' } }
  readonly pupBrowser = Object.assign(new EventEmitter(), { isConnected: () => this.alive })
  alive = true
  state = 'CONNECTED'
  readonly contaId: string
  private readonly page: FakePage

  constructor(pagina: FakePage, conta: string) {
    super()
    this.page = pagina
    this.contaId = conta
  }

  async initialize(): Promise<void> {
    const failure = this.page.failures.open.shift()
    if (failure !== undefined) throw failure
    if (this.page.paired.has(this.contaId)) this.signIn()
    else this.emit('qr', `ref-${this.page.clients.length},chave,${this.contaId}`)
  }

  signIn(): void {
    this.emit('authenticated')
    this.emit('ready')
  }

  async destroy(): Promise<void> {
    this.alive = false
  }

  async logout(): Promise<void> {
    this.requireAlive()
    this.page.paired.delete(this.contaId)
    this.alive = false
  }

  /** Simulates a killed browser. */
  die(): void {
    this.alive = false
    this.pupBrowser.emit('disconnected')
  }

  async getState(): Promise<unknown> {
    this.requireAlive()
    return this.state
  }

  async getChats(): Promise<unknown[]> {
    this.requireAlive()
    await this.page.onList()
    const pessoas = new Set(this.page.messages.map(({ id }) => id.remote))
    return [...pessoas].map((id) => this.chat(id))
  }

  async getChatById(id: string): Promise<unknown> {
    this.requireAlive()
    return this.chat(id)
  }

  private chat(id: string): object {
    const dela = this.page.messages.filter((mensagem) => mensagem.id.remote === id)
    return {
      id: { _serialized: id },
      timestamp: dela.at(-1)?.timestamp,
      fetchMessages: async ({ limit, fromMe }: { limit: number; fromMe?: boolean }) =>
        dela.filter((mensagem) => fromMe === undefined || mensagem.id.fromMe === fromMe).slice(-limit),
      sendStateTyping: async () => void this.page.typing.push(id),
    }
  }

  async getContactLidAndPhone(ids: string[]): Promise<unknown[]> {
    this.requireAlive()
    return ids.map((id) => {
      const par = [...this.page.lids].find((par) => par.includes(id))
      return { pn: par?.[0], lid: par?.[1] }
    })
  }

  async getMessageById(id: string): Promise<unknown> {
    const found = this.page.messages.find((mensagem) => mensagem.id._serialized === id)
    if (found === undefined) return undefined
    const change = (text: string | null) => async (): Promise<unknown> => {
      this.requireAlive()
      if (this.page.refusesEdits && text !== null) return null
      this.page.changes.push([id, text])
      return found
    }
    return {
      ...found,
      edit: (text: string) => change(text)(),
      delete: (everyone: boolean) => change(everyone ? null : 'só aqui')(),
    }
  }

  async requestPairingCode(telefone: string): Promise<string> {
    this.requireAlive()
    if (telefone.length < 10) throw new Error('Evaluation failed: invalid phone number')
    return `COD${telefone.slice(-5)}`
  }

  async sendReaction(id: string, emoji: string): Promise<void> {
    this.requireAlive()
    this.page.reactions.push([id, emoji])
  }

  async sendMessage(para: string, content: string | WebFile, opcoes: WebSendOptions): Promise<unknown> {
    this.requireAlive()
    const failure = this.page.failures.send.shift()
    if (failure === 'sem conversa') return null
    const texto = typeof content === 'string' ? content : (opcoes.caption ?? '')
    const mensagem = this.page.write(para, texto, typeof content === 'string' ? undefined : content, opcoes)
    if (failure === 'recusar') return { ...mensagem, ack: -1 }
    this.page.messages.push(mensagem)
    // The real page emits the event before `sendMessage` resolves.
    this.emit('message_create', mensagem)
    if (failure === 'sem resposta') return new Promise(() => {})
    if (failure === 'outra forma') return { ...mensagem, type: undefined, timestamp: null }
    return mensagem
  }

  private requireAlive(): void {
    if (!this.alive) throw new Error('Protocol error (Runtime.callFunctionOn): Target closed')
  }
}

export interface FakeFailures {
  readonly open: unknown[]
  readonly send: ('recusar' | 'sem resposta' | 'sem conversa' | 'outra forma' | 'nenhuma')[]
}

export class FakePage {
  readonly clients: FakeWebClient[] = []
  readonly messages: FakeWebMessage[] = []
  readonly paired = new Set<string>()
  /** Phone address and hidden address of the same person. */
  readonly lids = new Set<readonly [string, string]>()
  readonly typing: string[] = []
  readonly reactions: (readonly [string, string])[] = []
  /** Id and new text. Null: deleted on both sides. */
  readonly changes: (readonly [string, string | null])[] = []
  refusesEdits = false
  readonly failures: FakeFailures = { open: [], send: [] }
  onList = (): Promise<void> => Promise.resolve()
  readonly sent: {
    readonly para: string
    readonly texto: string
    readonly opcoes: WebSendOptions
    readonly arquivo?: WebFile
  }[] = []
  private lastId = 0

  readonly library: WebLibrary = {
    createClient: ({ profile }) => {
      const cliente = new FakeWebClient(this, basename(profile))
      this.clients.push(cliente)
      return cliente
    },
    createFile: (mimetype, data, filename) => ({ mimetype, data, filename }),
  }

  get client(): FakeWebClient {
    const cliente = this.clients.at(-1)
    if (cliente === undefined) throw new Error('no browser was opened')
    return cliente
  }

  scan(): void {
    this.paired.add(this.client.contaId)
    this.client.signIn()
  }

  unlink(): void {
    this.paired.delete(this.client.contaId)
    this.client.emit('disconnected', 'LOGOUT')
  }

  write(para: string, body: string, arquivo: WebFile | undefined, opcoes: WebSendOptions): FakeWebMessage {
    this.lastId += 1
    const id = `3EB0${String(this.lastId).padStart(16, '0')}`
    const mensagem = createMessage({
      id,
      remote: para,
      fromMe: true,
      type: arquivo === undefined ? 'chat' : 'image',
      body,
      at: nowSeconds(),
    })
    this.sent.push({ para, texto: body, opcoes, ...(arquivo === undefined ? {} : { arquivo }) })
    return { ...mensagem, hasMedia: arquivo !== undefined }
  }

  /**
   * A customer writes, or the owner on the phone when `para` is given. The page stores the message even without a
   * listener.
   */
  says(said: FakeMessageInput): FakeWebMessage {
    this.lastId += 1
    const { from: de, to: para, text = '', type = 'chat', at = nowSeconds(), file, name } = said
    const id = said.id ?? `3A${String(this.lastId).padStart(18, '0')}`
    const fromMe = para !== undefined
    const { mimetype, filename, size } = file ?? {}
    const mensagem: FakeWebMessage = {
      ...createMessage({ id, remote: para ?? de ?? '', fromMe, type, body: text, at }),
      hasMedia: file !== undefined,
      _data: { notifyName: name, mimetype, filename, size },
      downloadMedia: async () => file,
      ...said.extra,
    }
    if (!this.messages.some((outra) => outra.id._serialized === mensagem.id._serialized)) this.messages.push(mensagem)
    const cliente = this.clients.at(-1)
    if (cliente?.alive === true) cliente.emit('message_create', mensagem)
    return mensagem
  }
}

interface NewMessage {
  readonly id: string
  readonly remote: string
  readonly fromMe: boolean
  readonly type: string
  readonly body: string
  readonly at: number
}

function createMessage({ id, remote, fromMe, type, body, at }: NewMessage): FakeWebMessage {
  return {
    id: { fromMe, remote, id, _serialized: `${fromMe}_${remote}_${id}` },
    type,
    body,
    from: fromMe ? OWN_ADDRESS : remote,
    to: fromMe ? remote : OWN_ADDRESS,
    timestamp: at,
    hasMedia: false,
    ack: fromMe ? 1 : 0,
    _data: {},
    downloadMedia: () => Promise.resolve(undefined),
  }
}
