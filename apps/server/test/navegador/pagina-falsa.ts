import { EventEmitter } from 'node:events'
import { basename } from 'node:path'
import type { ArquivoWeb, Biblioteca, ClienteWeb, OpcoesDeEnvio } from '#adapters/navegador/biblioteca.ts'

/** A fake WhatsApp Web page in the shapes of whatsapp-web.js, with its phone and customers. */

export interface MensagemFalsa {
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
  readonly [outro: string]: unknown
}

export interface Dita {
  readonly de?: string
  readonly para?: string
  readonly nome?: string
  readonly texto?: string
  readonly id?: string
  readonly type?: string
  readonly em?: number
  readonly arquivo?: {
    readonly mimetype: string
    readonly data: string
    readonly filename?: string
    readonly size?: number
  }
  readonly mais?: Record<string, unknown>
}

const EU = '5511990000001@c.us'
const agora = (): number => Math.floor(Date.now() / 1_000)

export class ClienteFalso extends EventEmitter implements ClienteWeb {
  readonly info = { pushname: 'Loja', wid: { _serialized: EU, user: '5511990000001' } }
  readonly pupBrowser = Object.assign(new EventEmitter(), { isConnected: () => this.vivo })
  vivo = true
  estado = 'CONNECTED'
  readonly conta: string
  private readonly pagina: Pagina

  constructor(pagina: Pagina, conta: string) {
    super()
    this.pagina = pagina
    this.conta = conta
  }

  async initialize(): Promise<void> {
    const falha = this.pagina.falhas.abrir.shift()
    if (falha !== undefined) throw falha
    if (this.pagina.pareadas.has(this.conta)) this.entrar()
    else this.emit('qr', `ref-${this.pagina.clientes.length},chave,${this.conta}`)
  }

  entrar(): void {
    this.emit('authenticated')
    this.emit('ready')
  }

  async destroy(): Promise<void> {
    this.vivo = false
  }

  async logout(): Promise<void> {
    this.viver()
    this.pagina.pareadas.delete(this.conta)
    this.vivo = false
  }

  /** Simulates a killed browser. */
  morrer(): void {
    this.vivo = false
    this.pupBrowser.emit('disconnected')
  }

  async getState(): Promise<unknown> {
    this.viver()
    return this.estado
  }

  async getChats(): Promise<unknown[]> {
    this.viver()
    await this.pagina.aoListar()
    const pessoas = new Set(this.pagina.mensagens.map(({ id }) => id.remote))
    return [...pessoas].map((id) => this.conversa(id))
  }

  async getChatById(id: string): Promise<unknown> {
    this.viver()
    return this.conversa(id)
  }

  private conversa(id: string): object {
    const dela = this.pagina.mensagens.filter((mensagem) => mensagem.id.remote === id)
    return {
      id: { _serialized: id },
      timestamp: dela.at(-1)?.timestamp,
      fetchMessages: async ({ limit, fromMe }: { limit: number; fromMe?: boolean }) =>
        dela.filter((mensagem) => fromMe === undefined || mensagem.id.fromMe === fromMe).slice(-limit),
      sendStateTyping: async () => void this.pagina.digitando.push(id),
    }
  }

  async getContactLidAndPhone(ids: string[]): Promise<unknown[]> {
    this.viver()
    return ids.map((id) => {
      const par = [...this.pagina.lids].find((par) => par.includes(id))
      return { pn: par?.[0], lid: par?.[1] }
    })
  }

  async getMessageById(id: string): Promise<unknown> {
    return this.pagina.mensagens.find((mensagem) => mensagem.id._serialized === id)
  }

  async requestPairingCode(telefone: string): Promise<string> {
    this.viver()
    if (telefone.length < 10) throw new Error('Evaluation failed: invalid phone number')
    return `COD${telefone.slice(-5)}`
  }

  async sendReaction(id: string, emoji: string): Promise<void> {
    this.viver()
    this.pagina.reacoes.push([id, emoji])
  }

  async sendMessage(para: string, conteudo: string | ArquivoWeb, opcoes: OpcoesDeEnvio): Promise<unknown> {
    this.viver()
    const falha = this.pagina.falhas.enviar.shift()
    if (falha === 'sem conversa') return null
    const texto = typeof conteudo === 'string' ? conteudo : (opcoes.caption ?? '')
    const mensagem = this.pagina.escrever(para, texto, typeof conteudo === 'string' ? undefined : conteudo, opcoes)
    if (falha === 'recusar') return { ...mensagem, ack: -1 }
    this.pagina.mensagens.push(mensagem)
    // The real page emits the event before `sendMessage` resolves.
    this.emit('message_create', mensagem)
    if (falha === 'sem resposta') return new Promise(() => {})
    if (falha === 'outra forma') return { ...mensagem, type: undefined, timestamp: null }
    return mensagem
  }

  private viver(): void {
    if (!this.vivo) throw new Error('Protocol error (Runtime.callFunctionOn): Target closed')
  }
}

export interface Falhas {
  readonly abrir: unknown[]
  readonly enviar: ('recusar' | 'sem resposta' | 'sem conversa' | 'outra forma' | 'nenhuma')[]
}

export class Pagina {
  readonly clientes: ClienteFalso[] = []
  readonly mensagens: MensagemFalsa[] = []
  readonly pareadas = new Set<string>()
  /** Phone address and hidden address of the same person. */
  readonly lids = new Set<readonly [string, string]>()
  readonly digitando: string[] = []
  readonly reacoes: (readonly [string, string])[] = []
  readonly falhas: Falhas = { abrir: [], enviar: [] }
  aoListar = (): Promise<void> => Promise.resolve()
  readonly enviadas: {
    readonly para: string
    readonly texto: string
    readonly opcoes: OpcoesDeEnvio
    readonly arquivo?: ArquivoWeb
  }[] = []
  private ultima = 0

  readonly biblioteca: Biblioteca = {
    criar: ({ perfil }) => {
      const cliente = new ClienteFalso(this, basename(perfil))
      this.clientes.push(cliente)
      return cliente
    },
    arquivo: (mimetype, data, filename) => ({ mimetype, data, filename }),
  }

  get cliente(): ClienteFalso {
    const cliente = this.clientes.at(-1)
    if (cliente === undefined) throw new Error('no browser was opened')
    return cliente
  }

  escanear(): void {
    this.pareadas.add(this.cliente.conta)
    this.cliente.entrar()
  }

  remover(): void {
    this.pareadas.delete(this.cliente.conta)
    this.cliente.emit('disconnected', 'LOGOUT')
  }

  escrever(para: string, body: string, arquivo: ArquivoWeb | undefined, opcoes: OpcoesDeEnvio): MensagemFalsa {
    this.ultima += 1
    const id = `3EB0${String(this.ultima).padStart(16, '0')}`
    const mensagem = criar({
      id,
      remote: para,
      fromMe: true,
      type: arquivo === undefined ? 'chat' : 'image',
      body,
      em: agora(),
    })
    this.enviadas.push({ para, texto: body, opcoes, ...(arquivo === undefined ? {} : { arquivo }) })
    return { ...mensagem, hasMedia: arquivo !== undefined }
  }

  /**
   * A customer writes, or the owner on the phone when `para` is given. The page stores the message even without a
   * listener.
   */
  diz(dita: Dita): MensagemFalsa {
    this.ultima += 1
    const { de, para, texto = '', type = 'chat', em = agora(), arquivo, nome } = dita
    const id = dita.id ?? `3A${String(this.ultima).padStart(18, '0')}`
    const fromMe = para !== undefined
    const { mimetype, filename, size } = arquivo ?? {}
    const mensagem: MensagemFalsa = {
      ...criar({ id, remote: para ?? de ?? '', fromMe, type, body: texto, em }),
      hasMedia: arquivo !== undefined,
      _data: { notifyName: nome, mimetype, filename, size },
      downloadMedia: async () => arquivo,
      ...dita.mais,
    }
    if (!this.mensagens.some((outra) => outra.id._serialized === mensagem.id._serialized)) this.mensagens.push(mensagem)
    const cliente = this.clientes.at(-1)
    if (cliente?.vivo === true) cliente.emit('message_create', mensagem)
    return mensagem
  }
}

interface Nova {
  readonly id: string
  readonly remote: string
  readonly fromMe: boolean
  readonly type: string
  readonly body: string
  readonly em: number
}

function criar({ id, remote, fromMe, type, body, em }: Nova): MensagemFalsa {
  return {
    id: { fromMe, remote, id, _serialized: `${fromMe}_${remote}_${id}` },
    type,
    body,
    from: fromMe ? EU : remote,
    to: fromMe ? remote : EU,
    timestamp: em,
    hasMedia: false,
    ack: fromMe ? 1 : 0,
    _data: {},
    downloadMedia: () => Promise.resolve(undefined),
  }
}
