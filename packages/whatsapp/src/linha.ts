import { Boom } from '@hapi/boom'
import makeWASocket, {
  type AuthenticationCreds,
  type BinaryNode,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  proto,
  type SignalKeyStore,
  type WAMessage,
  type WAMessageKey,
  type WASocket,
} from 'baileys'
import type { AvisoDeBloqueio } from './bloqueio.ts'
import type { Diario } from './diario.ts'
import { CHAVE_DE_ACESSO } from './fechamento.ts'
import { guardarLigacoes } from './ligacao.ts'
import { ehPessoa } from './mensagem.ts'
import { mudo } from './mudo.ts'
import { depoisDe, porOrdem } from './ordem.ts'
import { createSegredoDoCodigo } from './segredo-do-codigo.ts'

/** How we appear among the linked devices of the phone. */
const NOME = 'Balcão'
/** For a code that is typed, WhatsApp refuses every system that it does not know by name. */
const SISTEMA = 'Windows'

export interface LinhaOptions {
  readonly url: string
  readonly creds: AuthenticationCreds
  readonly chaves: SignalKeyStore
  readonly diario: Diario
  /** The protocol's version, when the library's own is refused as too old. */
  readonly versao?: readonly [number, number, number] | undefined
  /** How long a code is shown; by default as WhatsApp does: a minute the first, then twenty seconds. */
  readonly qrMs?: number | undefined
  readonly buscar: (key: WAMessageKey) => Promise<proto.IMessage | undefined>
  readonly ao: OuvintesDaLinha
}

/** What happens on a line; each is called in order, and never after `fechou`. */
export interface OuvintesDaLinha {
  readonly credenciais: () => void
  /** A code to scan, and how many more will follow it. */
  readonly codigo: (qrCode: string, restam: number) => void
  /** The code on show is good no longer: this one is, for as long as that would have been. */
  readonly codigoRenovado: (qrCode: string) => void
  readonly abriu: () => void
  readonly fechou: (codigo: number | undefined) => void
  readonly mensagem: (mensagem: WAMessage) => void
  /** A message comes, perhaps without its words. Resolves once that is kept. */
  readonly ausente: (stanza: BinaryNode) => Promise<void>
  readonly ack: (ack: BinaryNode) => void
  readonly recibo: (recibo: BinaryNode) => void
  /** A device could not read this message of ours; the library answers it afterwards. */
  readonly pedido: (id: string, quem: string) => Promise<void>
  /** Anything at all came from the server. */
  readonly quadro: () => void
  /** This number may not begin chats for a while, or may again. */
  readonly bloqueio: (aviso: AvisoDeBloqueio) => void
  /** Something is said of a call. Resolves once it is kept. */
  readonly ligacao: (stanza: BinaryNode) => Promise<void>
  /** Somebody writes to us. */
  readonly digitando: (jid: string) => void
}

/** One connection to WhatsApp, from its handshake to its end. */
export function abrirLinha({ url, creds, chaves, diario, versao, qrMs, buscar, ao }: LinhaOptions): WASocket {
  const navegador: [string, string, string] = [NOME, 'Chrome', '2.0.0']
  const sock = makeWASocket({
    waWebSocketUrl: url,
    logger: mudo,
    auth: { creds, keys: chaves },
    browser: navegador,
    ...(versao === undefined ? {} : { version: [...versao] }),
    ...(qrMs === undefined ? {} : { qrTimeout: qrMs }),
    countryCode: 'BR',
    markOnlineOnConnect: false,
    emitOwnEvents: false,
    syncFullHistory: false,
    // The first one brings which LID is whose number. Older chats are nobody's business here.
    // The library puts the path behind its host as it is: one that begins otherwise would be another host.
    shouldSyncHistoryMessage: ({ syncType, directPath }) =>
      syncType === proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP && (directPath ?? '/').startsWith('/'),
    shouldIgnoreJid: (jid) => isJidGroup(jid) || isJidBroadcast(jid) || isJidNewsletter(jid),
    transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 200 },
    getMessage: buscar,
    makeSignalRepository: diario.makeSignalRepository,
  })
  sock.ws.on('frame', ao.quadro)
  let restam = 0
  sock.ws.on('CB:iq,type:set,pair-device', ({ content }: BinaryNode) => {
    // The name was told when the line was opened; what is asked from now on goes by the system.
    navegador[0] = SISTEMA
    const [pedido] = Array.isArray(content) ? content : []
    restam = Array.isArray(pedido?.content) ? pedido.content.filter(({ tag }) => tag === 'ref').length : 0
  })
  const segredo = createSegredoDoCodigo(sock, creds, ao.codigoRenovado)
  // The library knows nothing of it: codes would go on turning, and the phone waiting.
  sock.ws.on('CB:notification,type:passkey_prologue_request', () => {
    if (creds.account === undefined) void sock.end(new Boom('a passkey', { statusCode: CHAVE_DE_ACESSO }))
  })
  porOrdem(sock.ws, diario.anotar, ao.ausente)
  depoisDe(sock.ws, 'CB:receipt', ({ attrs: { type, id = '', from = '' } }) =>
    type === 'retry' ? ao.pedido(id, from) : undefined,
  )
  guardarLigacoes(sock.ws, ao.ligacao)
  sock.ws.on('CB:ack,class:message', ao.ack)
  sock.ws.on('CB:receipt', ao.recibo)
  sock.ws.on('CB:chatstate', ({ attrs, content }: BinaryNode) => {
    const escreve = Array.isArray(content) && content.some(({ tag }) => tag === 'composing')
    if (escreve && ehPessoa(attrs.from ?? '')) ao.digitando(attrs.from ?? '')
  })
  sock.ev.on('creds.update', ao.credenciais)
  sock.ev.on('messages.upsert', ({ messages }) => messages.forEach(ao.mensagem))
  sock.ev.on('connection.update', ({ qr, connection, lastDisconnect, reachoutTimeLock }) => {
    if (reachoutTimeLock !== undefined) ao.bloqueio(reachoutTimeLock)
    if (qr !== undefined) ao.codigo(segredo.em(qr), --restam)
    if (connection === 'open') ao.abriu()
    if (connection !== 'close') return
    const erro = lastDisconnect?.error
    ao.fechou(erro instanceof Boom ? erro.output.statusCode : undefined)
  })
  return sock
}
