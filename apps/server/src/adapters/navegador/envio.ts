import { EnvioFalhou, EnvioRecusado, type OutboundMessage, type SessionHost } from '#ports/messaging.ts'
import type { Biblioteca, ClienteWeb, OpcoesDeEnvio } from './biblioteca.ts'
import { paraWeb } from './enderecos.ts'
import { type Chave, ehConversa, idDaChave, mensagemSchema, type MensagemWeb, respostaSchema } from './formas.ts'
import { ehA, emOrdem, instanteDe, type Nossas, uuidEm } from './nossas.ts'
import { comPrazo } from './prazo.ts'

export interface EnvioOptions {
  readonly host: Pick<SessionHost, 'lerMidia' | 'enviadas' | 'chamada'>
  readonly nossas: Nossas
  readonly arquivo: Biblioteca['arquivo']
  readonly prazoMs: number
  /** Messages written before this instant may have been sent by an earlier session. */
  readonly inicioMs: number
}

/** Sends one message through the page. Throws `EnvioRecusado` when no retry helps; any other error may be retried. */
export type Envio = (cliente: ClienteWeb, mensagem: OutboundMessage) => Promise<void>

const PROCURAR_MS = 20_000
const ULTIMAS = 30
/** Equal texts of ours within this time before the message are matched to the page's messages first. */
const IGUAIS_MS = 2 * 60_000
const RELOGIO_MS = 2_000
const RECUSADA = -1

export function createEnvio({ host, nossas, arquivo, prazoMs, inicioMs }: EnvioOptions): Envio {
  const duvidosas = new Set<string>()

  /** Finds the message in the page when an earlier attempt did send it. */
  const procurar = async (cliente: ClienteWeb, mensagem: OutboundMessage): Promise<MensagemWeb | null> => {
    const conversa = await comPrazo(cliente.getChatById(paraWeb(mensagem.endereco)), PROCURAR_MS)
    if (!ehConversa(conversa)) return null
    const brutas = await comPrazo(conversa.fetchMessages({ limit: ULTIMAS, fromMe: true }), PROCURAR_MS)
    const de = uuidEm(instanteDe(mensagem.idExterno) - IGUAIS_MS)
    const escritas = emOrdem(await host.enviadas(de, mensagem.idExterno)).filter(
      ({ endereco, texto, midia }) =>
        endereco === mensagem.endereco && texto === mensagem.texto && midia?.url === mensagem.midia?.url,
    )
    const desde = instanteDe(escritas[0]?.idExterno ?? mensagem.idExterno) - RELOGIO_MS
    const naPagina = brutas
      .flatMap((bruta) => mensagemSchema.safeParse(bruta).data ?? [])
      .filter((outra) => outra.timestamp * 1_000 >= desde && ehA(mensagem, outra))
      .toSorted((a, b) => a.timestamp - b.timestamp)
    const lugar = escritas.findIndex(({ idExterno }) => idExterno === mensagem.idExterno)
    return naPagina[lugar === -1 ? escritas.length : lugar] ?? null
  }

  const saiu = ({ idExterno }: OutboundMessage, chave: Chave): void => {
    nossas.lembrar(idDaChave(chave), idExterno)
    host.chamada(idExterno, idDaChave(chave))
  }

  const mandar = async (cliente: ClienteWeb, mensagem: OutboundMessage): Promise<void> => {
    const { conteudo, opcoes } = await montar(mensagem, { lerMidia: host.lerMidia, arquivo })
    const pronta = nossas.enviando()
    try {
      duvidosas.add(mensagem.idExterno)
      const pedido = cliente.sendMessage(paraWeb(mensagem.endereco), conteudo, opcoes)
      const resposta = await comPrazo(pedido, prazoMs)
      if (resposta === null || resposta === undefined) {
        duvidosas.delete(mensagem.idExterno)
        throw new EnvioRecusado('o WhatsApp não tem uma conversa com este contato')
      }
      // The message was sent: an unreadable answer must not send it again.
      const { id, ack } = respostaSchema.parse(resposta)
      duvidosas.delete(mensagem.idExterno)
      if (ack === RECUSADA) throw new EnvioFalhou('o WhatsApp recusou a mensagem')
      saiu(mensagem, id)
    } finally {
      pronta()
    }
  }

  return async (cliente, mensagem) => {
    // Setting a reaction twice has the same result as once.
    if (mensagem.reacao !== undefined) return reagir(cliente, mensagem.reacao, prazoMs)
    // The message was sent after the queue had given up.
    if (nossas.jaSaiu(mensagem.idExterno)) return
    if (duvidosas.has(mensagem.idExterno) || instanteDe(mensagem.idExterno) < inicioMs) {
      const achada = await procurar(cliente, mensagem)
      duvidosas.delete(mensagem.idExterno)
      if (achada !== null) return saiu(mensagem, achada.id)
    }
    await mandar(cliente, mensagem)
  }
}

async function reagir(
  cliente: ClienteWeb,
  { alvo, emoji }: NonNullable<OutboundMessage['reacao']>,
  prazoMs: number,
): Promise<void> {
  if (!DA_PAGINA.test(alvo.id)) throw new EnvioRecusado('o WhatsApp não conhece esta mensagem')
  await comPrazo(cliente.sendReaction(alvo.id, emoji), prazoMs)
}

const DA_PAGINA = /^(true|false)_/

type Montada = { readonly conteudo: Parameters<ClienteWeb['sendMessage']>[1]; readonly opcoes: OpcoesDeEnvio }

const COMUM = { waitUntilMsgSent: true, linkPreview: false } as const

async function montar(
  { texto, midia, citada }: OutboundMessage,
  { lerMidia, arquivo }: { lerMidia: SessionHost['lerMidia']; arquivo: Biblioteca['arquivo'] },
): Promise<Montada> {
  const comum = citada !== undefined && DA_PAGINA.test(citada.id) ? { ...COMUM, quotedMessageId: citada.id } : COMUM
  const lida = midia?.url === undefined ? null : await lerMidia(midia.url)
  if (lida === null || midia === undefined) {
    if (midia !== undefined && texto.trim() === '') throw new EnvioRecusado('o arquivo desta mensagem não existe mais')
    return { conteudo: texto, opcoes: comum }
  }
  const conteudo = arquivo(lida.mimeType, Buffer.from(lida.bytes).toString('base64'), midia.nomeArquivo ?? 'arquivo')
  const legenda = texto === '' ? {} : { caption: texto }
  switch (midia.tipo) {
    case 'audio':
      return { conteudo, opcoes: { ...comum, sendAudioAsVoice: lida.mimeType.startsWith('audio/ogg') } }
    case 'figurinha':
      return { conteudo, opcoes: { ...comum, sendMediaAsSticker: true } }
    case 'imagem':
    case 'video':
      return { conteudo, opcoes: { ...comum, ...legenda } }
    case 'documento':
    case 'localizacao':
    case 'contato':
    case 'outro':
      return { conteudo, opcoes: { ...comum, ...legenda, sendMediaAsDocument: true } }
    default:
      return midia.tipo satisfies never
  }
}
