import {
  decodeMessageNode,
  isLidUser,
  isPnUser,
  jidDecode,
  jidNormalizedUser,
  proto,
  type WAMessage,
  type WAMessageKey,
} from 'baileys'
import { lerAlteracao } from './alteracao.ts'
import type { Alteracao, Chegada, Recebida } from './anfitriao.ts'
import { lerConteudo } from './conteudo.ts'
import { deTexto } from './credenciais.ts'

/** Who we are to WhatsApp. */
export interface Eu {
  readonly jid: string
  readonly lid: string
}

/** The number that belongs to a LID, when this session has seen them together; null otherwise. */
export type NumeroDoLid = (lid: string) => Promise<string | null>

/** A stored arrival as a message of the library. */
export function abrirChegada({ valor }: Chegada, eu: Eu): WAMessage {
  const { envelope, corpo } = deTexto(valor)
  const { fullMessage } = decodeMessageNode({ tag: 'message', attrs: envelope }, eu.jid, eu.lid)
  return { ...fullMessage, message: proto.Message.decode(corpo) }
}

/** What the server is told of a message; null for what is nobody's word: groups, status, protocol. */
export async function toRecebida(mensagem: WAMessage, numeroDoLid: NumeroDoLid): Promise<Recebida | Alteracao | null> {
  const { key, message, pushName, messageTimestamp } = mensagem
  const endereco = jidNormalizedUser(key.remoteJid ?? '')
  if (!key.id || !ehPessoa(endereco)) return null
  const alteracao = lerAlteracao(message)
  const conteudo = lerConteudo(message)
  if (alteracao === null && conteudo.tipo === 'nada') return null
  const { numero, lid } = await enderecosDe(key, endereco, numeroDoLid)
  const deMim = key.fromMe === true
  const pessoa = {
    endereco,
    outrosEnderecos: [numero, lid].filter((outro) => outro !== null).filter((outro) => outro !== endereco),
    telefone: numero === null ? '' : (jidDecode(numero)?.user ?? ''),
  }
  if (alteracao !== null) return { ...pessoa, ...alteracao, deMim }
  if (conteudo.tipo === 'nada') return null
  const { texto, midia, citada } = conteudo
  return {
    ...pessoa,
    id: key.id,
    nome: deMim ? '' : (pushName ?? ''),
    texto,
    ...(midia === undefined ? {} : { midia }),
    ...(citada === undefined
      ? {}
      : { citada: { texto: citada.texto, nossa: ![numero, lid].includes(doMesmo(citada.de)) } }),
    deMim,
    enviadaEm: new Date(Number(messageTimestamp ?? 0) * 1000),
  }
}

export function ehAlteracao(lida: Recebida | Alteracao): lida is Alteracao {
  return 'mudanca' in lida
}

function doMesmo(jid: string): string {
  return jid === '' ? '' : jidNormalizedUser(jid)
}

async function enderecosDe(
  { remoteJidAlt }: WAMessageKey,
  endereco: string,
  numeroDoLid: NumeroDoLid,
): Promise<{ numero: string | null; lid: string | null }> {
  const alternativo = remoteJidAlt === undefined || remoteJidAlt === '' ? null : jidNormalizedUser(remoteJidAlt)
  const outro = alternativo !== null && ehPessoa(alternativo) ? alternativo : null
  if (!isLidUser(endereco)) return { numero: endereco, lid: outro !== null && isLidUser(outro) ? outro : null }
  if (outro !== null && isPnUser(outro)) return { numero: outro, lid: endereco }
  const visto = await numeroDoLid(endereco)
  return { numero: visto === null ? null : jidNormalizedUser(visto), lid: endereco }
}

/** Neither a group, a list, a status nor a newsletter. */
export function ehPessoa(jid: string): boolean {
  return isPnUser(jid) === true || isLidUser(jid) === true
}
