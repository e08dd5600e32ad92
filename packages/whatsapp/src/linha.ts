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

const NOME = 'Balcão'
/** WhatsApp refuses a pairing code for an operating system that it does not know. */
const SISTEMA = 'Windows'

export interface LinhaOptions {
  readonly url: string
  readonly creds: AuthenticationCreds
  readonly chaves: SignalKeyStore
  readonly diario: Diario
  /** Protocol version, for the case that WhatsApp refuses the library's own as too old. */
  readonly versao?: readonly [number, number, number] | undefined
  /** How long each QR code is shown. Default of WhatsApp: 60 s for the first, then 20 s. */
  readonly qrMs?: number | undefined
  readonly buscar: (key: WAMessageKey) => Promise<proto.IMessage | undefined>
  readonly ao: OuvintesDaLinha
}

export interface OuvintesDaLinha {
  readonly credenciais: () => void
  readonly codigo: (qrCode: string, restam: number) => void
  readonly codigoRenovado: (qrCode: string) => void
  readonly abriu: () => void
  readonly fechou: (codigo: number | undefined) => void
  readonly mensagem: (mensagem: WAMessage) => void
  /** A message arrived, perhaps without content. Resolves once a missing one is in the journal. */
  readonly ausente: (stanza: BinaryNode) => Promise<void>
  readonly ack: (ack: BinaryNode) => void
  readonly recibo: (recibo: BinaryNode) => void
  /** A device could not decrypt our message. The library resends it once this resolves. */
  readonly pedido: (id: string, quem: string) => Promise<void>
  readonly quadro: () => void
  readonly bloqueio: (aviso: AvisoDeBloqueio) => void
  readonly ligacao: (stanza: BinaryNode) => Promise<void>
  readonly digitando: (jid: string) => void
}

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
    // Only the first history sync is fetched: it maps LIDs to phone numbers. The library appends the path to its
    // host as it is, so a path without a leading slash could name another host.
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
    // The device name was already sent when the connection opened. Later requests need an operating system here.
    navegador[0] = SISTEMA
    const [pedido] = Array.isArray(content) ? content : []
    restam = Array.isArray(pedido?.content) ? pedido.content.filter(({ tag }) => tag === 'ref').length : 0
  })
  const segredo = createSegredoDoCodigo(sock, creds, ao.codigoRenovado)
  // The library ignores this request: it would keep showing codes while the phone waits.
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
