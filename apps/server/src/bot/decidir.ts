import { step } from '@balcao/engine/step'
import { type BotState, parseState } from '@balcao/engine/state'
import { type BotEffect, fala } from '@balcao/engine/effect'
import type { BotEvent } from '@balcao/engine/event'
import { pedidoDeParada } from '@balcao/engine/rules/parada'
import { toBotContext } from './bot-context.ts'
import type { Contexto } from './contextos.ts'
import type { ConversaNova, Decisao, MensagemNova, MudancaConversa } from './decisao.ts'
import type { ContatoTravado, ConversaAtual } from './hot-read.ts'
import type { BaseEvento, TurnoBot } from './turno.ts'

export interface DecidirInput {
  readonly turno: TurnoBot
  readonly contato: ContatoTravado
  readonly contexto: Contexto
  readonly agora: Date
  readonly dia: string
  readonly uuid: () => string
  /** Messages left in the daily limit. Messages beyond it are stored with estado `limite` and not sent. */
  readonly vaga: number
  readonly mudo: boolean
  readonly entregar: (setor: string) => Promise<Entrega>
}

export interface Entrega {
  /** A setor that exists when the decision is stored. */
  readonly setor: string
  readonly protocolo: string
}

interface Passo {
  readonly antes: BotState
  readonly state: BotState
  readonly effects: readonly BotEffect[]
  readonly protocolo: string | null
}

/** Runs the engine for one turn and returns the rows to write. Writes nothing itself, except through `entregar`. */
export async function decidir(input: DecidirInput): Promise<Decisao> {
  const { turno, contato, contexto, agora, uuid } = input
  const recebidaId = uuid()
  const nome = nomeDe(turno, contato)
  const andado = input.mudo ? null : await andar(input, recebidaId, nome)
  const conversa = escolherConversa(input, andado)
  // A new conversa after a test conversa is a real one.
  const teste = conversa.conversaNova === null && (contato.conversa?.teste ?? false)
  const mensagens = [
    ...recebida(turno, recebidaId),
    ...respostas(andado?.effects ?? [], uuid, teste ? Infinity : input.vaga),
  ]
  const passo = semAvisoPerdido(andado, teste || mensagens.some(({ estado }) => estado === 'limite'))
  const humana = passo?.state.etapa === 'humano' || ehHumana(contato)
  return {
    turno,
    contaId: contexto.contaId,
    canal: turno.tipo === 'mensagem' ? turno.canal : contexto.config.whatsapp.conector,
    contato,
    nome,
    endereco: turno.tipo === 'mensagem' ? turno.mensagem.endereco : contato.endereco,
    agora,
    dia: input.dia,
    ...conversa,
    mudancas: [...conversa.mudancas, ...mudancaDaAtual(input, passo, conversa.conversaId)],
    humana,
    teste,
    estado: passo === null ? null : JSON.stringify(passo.state),
    etapa: passo?.state.etapa ?? null,
    mensagens,
    efeitos: passo?.effects ?? [],
    digitando: contexto.config.menu.digitando,
    avisoVersao: contexto.aviso?.versao ?? 0,
  }
}

/** When the privacy notice was not sent, the consent is not recorded and the next greeting repeats the notice. */
function semAvisoPerdido(passo: Passo | null, perdido: boolean): Passo | null {
  if (passo === null || !perdido) return passo
  const effects = passo.effects.filter((efeito) => efeito.tipo !== 'registrarConsentimento' || efeito.ato !== 'aviso')
  if (effects.length === passo.effects.length) return passo
  return { ...passo, effects, state: { ...passo.state, avisadoEm: null } }
}

const ATOS: readonly BotEvent['tipo'][] = [
  'atendenteAssumiu',
  'atendenteTransferiu',
  'atendenteFinalizou',
  'devolvidaAoBot',
]

/**
 * Returns null in maintenance: messages are stored and not answered. Panel actions and a request to stop still
 * change the state, without any reply.
 */
async function andar(input: DecidirInput, recebidaId: string, nome: string): Promise<Passo | null> {
  const { turno, contato, contexto, agora } = input
  const antes = parseState(contato.estado)
  const base = { agora: agora.getTime(), contato: { nome, telefone: contato.telefone } }
  const context = toBotContext(contexto)
  const evento = toEvento(turno, recebidaId, base)
  const pede = evento.tipo === 'mensagemCliente' && pedidoDeParada(evento.texto) !== null
  if (contexto.manutencao && !pede && !ATOS.includes(evento.tipo)) return null
  const primeiro = passar(context, antes, evento)
  if (contexto.manutencao) {
    if (pede && (primeiro.state.paradoEm === null || antes.paradoEm !== null)) return null
    const effects = primeiro.effects.filter((efeito) => !fala(efeito))
    return { antes, state: primeiro.state, effects, protocolo: null }
  }
  const abertura = primeiro.effects.find(({ tipo }) => tipo === 'abrirConversaHumana')
  if (abertura?.tipo !== 'abrirConversaHumana') return { antes, ...primeiro, protocolo: null }
  const { setor, protocolo } = await input.entregar(abertura.setor)
  const segundo = passar(context, antes, toEvento(turno, recebidaId, { ...base, protocolo }))
  return { antes, ...noSetor(segundo, setor), protocolo }
}

function noSetor({ state, effects }: ReturnType<typeof step>, setor: string): ReturnType<typeof step> {
  return {
    state: state.etapa === 'humano' ? { ...state, setor } : state,
    effects: effects.map((efeito) => (efeito.tipo === 'abrirConversaHumana' ? { ...efeito, setor } : efeito)),
  }
}

export class MotorFalhou extends Error {}

function passar(...entrada: Parameters<typeof step>): ReturnType<typeof step> {
  try {
    return step(...entrada)
  } catch (error) {
    throw new MotorFalhou('engine failed', { cause: error })
  }
}

function toEvento(turno: TurnoBot, id: string, base: BaseEvento): BotEvent {
  if (turno.tipo === 'evento') return turno.evento(base)
  const { deMim, texto, midia, ligacao, enviadaEm } = turno.mensagem
  if (deMim === true) return { tipo: 'mensagemDoTelefone', escritaEm: enviadaEm.getTime(), ...base }
  if (ligacao !== undefined) return { tipo: 'ligacaoPerdida', ligouEm: enviadaEm.getTime(), ...base }
  const recebido = { tipo: 'mensagemCliente', id, texto, enviadaEm: enviadaEm.getTime(), ...base } as const
  return midia === undefined ? recebido : { ...recebido, midia: midia.tipo }
}

function nomeDe(turno: TurnoBot, contato: ContatoTravado): string {
  if (turno.tipo === 'evento' || turno.mensagem.deMim === true || turno.mensagem.nome === '') return contato.nome
  return turno.mensagem.nome
}

function recebida(turno: TurnoBot, id: string): MensagemNova[] {
  if (turno.tipo === 'evento') return []
  const { mensagem } = turno
  const { citada, ligacao } = mensagem
  const marcas = {
    ...(citada === undefined ? {} : { citada }),
    ...(ligacao === undefined ? {} : { ligacao }),
  }
  const extras = Object.keys(marcas).length === 0 ? {} : { extras: marcas }
  const comum = { id, texto: mensagem.texto, midia: mensagem.midia ?? null, idExterno: mensagem.id, ...extras }
  return mensagem.deMim === true
    ? [{ ...comum, direcao: 'saida', origem: 'telefone', estado: 'enviada' }]
    : [{ ...comum, direcao: 'entrada', origem: 'cliente', estado: 'entregue' }]
}

function respostas(effects: readonly BotEffect[], uuid: () => string, vaga: number): MensagemNova[] {
  const mensagens: MensagemNova[] = []
  for (const efeito of effects) {
    const estado = mensagens.length < vaga ? 'enviada' : 'limite'
    const comum = { direcao: 'saida', idExterno: null, estado } as const
    if (efeito.tipo === 'enviarTexto') {
      mensagens.push({ ...comum, id: uuid(), origem: efeito.origem, texto: efeito.texto, midia: null })
    } else if (efeito.tipo === 'enviarImagem') {
      const midia = { tipo: 'imagem', url: efeito.imagemUrl } as const
      mensagens.push({ ...comum, id: uuid(), origem: 'bot', texto: efeito.legenda, midia })
    }
  }
  return mensagens
}

interface EscolhaConversa {
  /** Null only for an event without effects on a contato without conversas. */
  readonly conversaId: string | null
  readonly conversaNova: ConversaNova | null
  readonly mudancas: readonly MudancaConversa[]
}

/** Picks the open conversa; the last one for a rating or a closing courtesy; otherwise a new one. */
function escolherConversa(
  { turno, contato, contexto, agora, uuid }: DecidirInput,
  passo: Passo | null,
): EscolhaConversa {
  const { conversa } = contato
  if (turno.tipo === 'evento' && passo?.effects.length === 0) {
    return { conversaId: contato.conversaId, conversaNova: null, mudancas: [] }
  }
  const aberta = conversa !== null && conversa.status !== 'finalizada'
  const expirou =
    aberta && conversa.status === 'bot' && passo !== null && expirada(passo.antes, { contexto, conversa, agora })
  if (aberta && !expirou) return { conversaId: conversa.id, conversaNova: null, mudancas: [] }
  if (conversa !== null && !expirou && passo !== null && continuaNaUltima(passo)) {
    return { conversaId: conversa.id, conversaNova: null, mudancas: [] }
  }
  const id = uuid()
  const mudancas = expirou
    ? [{ ...SEM_MUDANCA, id: conversa.id, status: 'finalizada', motivoFim: 'expirada' } as const]
    : []
  return { conversaId: id, conversaNova: { id, status: 'bot' }, mudancas }
}

const SEM_MUDANCA = { status: null, setor: null, protocolo: null, motivoFim: null, naoLidas: 0, lidas: false } as const

interface Momento {
  readonly contexto: Contexto
  readonly conversa: ConversaAtual
  readonly agora: Date
}

function expirada({ ultimaEm, telefoneAte }: BotState, { contexto, conversa, agora }: Momento): boolean {
  // While the owner writes from the phone, the conversa does not expire.
  if ((telefoneAte ?? 0) > agora.getTime()) return false
  if (ultimaEm === null) return false
  // A missed call starts a conversa before the customer has written. The next call belongs to the same conversa, so
  // its start counts too.
  const desde = Math.max(ultimaEm, conversa.iniciadaEm.getTime())
  return agora.getTime() - desde > contexto.config.menu.expiraEmMinutos * 60_000
}

function continuaNaUltima({ state, effects }: Passo): boolean {
  const terminou = state.etapa === 'encerrada' || state.etapa === 'avaliando'
  return terminou && !effects.some(({ tipo }) => tipo === 'finalizarConversa' || tipo === 'abrirConversaHumana')
}

function mudancaDaAtual({ turno, contato }: DecidirInput, passo: Passo | null, id: string | null): MudancaConversa[] {
  if (id === null) return []
  const efeitos = passo?.effects ?? []
  const doCliente = turno.tipo === 'mensagem' && turno.mensagem.deMim !== true
  const doTelefone = turno.tipo === 'mensagem' && !doCliente
  // Conversas served only by the bot are not sorted by activity, so their row is not updated.
  const moveu = id === contato.conversaId && ehHumana(contato) && (turno.tipo === 'mensagem' || efeitos.some(fala))
  let mudanca: MudancaConversa = { ...SEM_MUDANCA, id, naoLidas: moveu && doCliente ? 1 : 0, lidas: doTelefone }
  for (const efeito of efeitos) {
    if (efeito.tipo === 'abrirConversaHumana') {
      const { setor } = efeito
      mudanca = {
        ...mudanca,
        status: 'aguardando',
        setor,
        protocolo: passo?.protocolo ?? null,
        naoLidas: doCliente ? 1 : 0,
      }
    } else if (efeito.tipo === 'finalizarConversa') {
      mudanca = { ...mudanca, status: 'finalizada', motivoFim: turno.tipo === 'evento' ? 'atendente' : 'bot' }
    }
  }
  return mudanca.status === null && !moveu ? [] : [mudanca]
}

function ehHumana({ conversa }: ContatoTravado): boolean {
  return conversa?.status === 'aguardando' || conversa?.status === 'em_atendimento'
}
