import { isDeepStrictEqual } from 'node:util'
import type { ConectorTipo } from '@balcao/contract/connectors'
import type { Componente } from '@balcao/contract/constants'
import type { Config, Horario, OpcaoMenu, Setor } from '@balcao/contract/entities/config'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { ErrorDetail } from '@balcao/contract/errors'
import { AppError } from '#errors.ts'
import { type LoginSession, hasComponente } from '#http/authentication.ts'
import { resolveApiKey } from './api-key.ts'

const ID_MAX = 60

interface ResolvedSetores {
  readonly setores: Setor[]
  /** Rows that reference them move to `geral`. */
  readonly removidos: readonly string[]
  /** By the id that was sent. */
  readonly novos: ReadonlyMap<string, string>
}

function setorSlug(name: string): string {
  const slug = foldAccents(name.trim())
    .replace(/\s+/g, '_')
    .replace(/[^a-z0-9_-]/g, '')
    .slice(0, ID_MAX)
  return /[a-z0-9]/.test(slug) ? slug : 'setor'
}

function freeId(name: string, taken: ReadonlySet<string>): string {
  const base = setorSlug(name)
  if (!taken.has(base)) return base
  for (let suffix = 2; ; suffix += 1) {
    const id = `${base}_${suffix}`
    if (!taken.has(id)) return id
  }
}

/**
 * A known id keeps its creation date. Every other setor is new, including the second one with the same id. A restored
 * version may bring back removed ids.
 */
function resolveSetores(
  current: readonly Setor[],
  sent: readonly Setor[],
  { agora, restaurando = false }: { readonly agora: Date; readonly restaurando?: boolean },
): ResolvedSetores {
  const known = new Map(current.map((setor) => [setor.id, setor]))
  if (!sent.some(({ id }) => id === SETOR_GERAL)) throw new AppError('setorGeral')

  // A removed id stays taken during this save, so an id never changes its meaning.
  const busy = new Set(known.keys())
  const created = new Map<string, string>()
  const setores = sent.map((setor, index): Setor => {
    const first = sent.findIndex(({ id }) => id === setor.id) === index
    const conhecido = first ? (known.get(setor.id) ?? (restaurando ? setor : undefined)) : undefined
    if (conhecido !== undefined) return { ...setor, criadoEm: conhecido.criadoEm }
    const id = freeId(setor.nome, busy)
    busy.add(id)
    if (!created.has(setor.id)) created.set(setor.id, id)
    return { ...setor, id, criadoEm: agora.toISOString() }
  })
  const kept = new Set(setores.map(({ id }) => id))
  return { setores, novos: created, removidos: [...known.keys()].filter((id) => !kept.has(id)) }
}

function resolveOpcoes(opcoes: readonly OpcaoMenu[], { setores, removidos, novos }: ResolvedSetores): OpcaoMenu[] {
  const existing = new Set(setores.map(({ id }) => id))
  const detalhes: ErrorDetail[] = []
  const pointed = opcoes.map((opcao, index): OpcaoMenu => {
    const { setor: sent, ...rest } = opcao
    if (opcao.tipo !== 'humano') return rest
    const request = sent === undefined || sent === '' ? SETOR_GERAL : sent
    const setor = existing.has(request) ? request : (novos.get(request) ?? request)
    if (existing.has(setor)) return { ...rest, setor }
    if (removidos.includes(setor)) return { ...rest, setor: SETOR_GERAL }
    detalhes.push({ caminho: `menu.opcoes.${index}.setor`, mensagem: 'Este setor não existe.' })
    return opcao
  })
  if (detalhes.length > 0) throw new AppError('setorDesconhecido', { detalhes })
  return pointed
}

export type WritableSections = Readonly<Record<keyof Config, boolean>>

export interface ContaLimits {
  readonly iaPermitida: boolean
  readonly opcoesMenuMaximo: number | null
}

interface ConfigMerge {
  readonly config: Config
  readonly removedSetores: readonly string[]
}

/** An operador may write none. */
export function writableSectionsOf(session: LoginSession): WritableSections {
  const has = (componente: Componente): boolean => session.tipo !== 'operador' && hasComponente(session, componente)
  return {
    whatsapp: has('configuracaoGeral'),
    gemini: has('configuracaoGeral') || has('iaChatbot'),
    ia: has('iaChatbot'),
    menu: has('mensagensMenus'),
    atendimento: has('atendimentoHumano'),
  }
}

/** Throws `setorGeral`, `setorDesconhecido`, `dadosInvalidos` or `limitePlano`. */
export function mergeConfig(
  current: Config,
  sent: Config,
  allowed: WritableSections,
  limits: ContaLimits,
  mode: {
    readonly agora: Date
    readonly conectores: readonly ConectorTipo[]
    readonly restaurando?: boolean
  },
): ConfigMerge {
  const key = resolveApiKey(current.gemini.apiKey, { gemini: sent.gemini.apiKey, ia: sent.ia.apiKey }, allowed)
  const atendimento = allowed.atendimento ? sent.atendimento : current.atendimento
  const resolved = resolveSetores(current.atendimento.setores, atendimento.setores, mode)

  const menu = allowed.menu ? sent.menu : current.menu
  const opcoes = resolveOpcoes(menu.opcoes, resolved)

  const config: Config = {
    whatsapp: allowed.whatsapp ? sent.whatsapp : current.whatsapp,
    gemini: { apiKey: key },
    ia: { ...(allowed.ia ? sent.ia : current.ia), apiKey: key },
    menu: { ...menu, opcoes },
    atendimento: { ...atendimento, horario: withUsualZone(atendimento.horario), setores: resolved.setores },
  }
  requireConector(current, config, mode.conectores)
  requireTimeZone(current, config)
  requireIaAllowed(config, limits)
  requireMenuAllowed(current, config, limits)
  return { config, removedSetores: resolved.removidos }
}

/** A conta may keep a connector that this server does not have, but not change to it. */
function requireConector(current: Config, { whatsapp }: Config, conectores: readonly ConectorTipo[]): void {
  if (whatsapp.conector === current.whatsapp.conector || conectores.includes(whatsapp.conector)) return
  const mensagem = 'Este conector não está instalado neste servidor.'
  throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'whatsapp.conector', mensagem }] })
}

/** PostgreSQL rejects other forms that JavaScript accepts, or reads offsets with the opposite sign. */
function requireTimeZone(current: Config, { atendimento }: Config): void {
  const { fuso } = atendimento.horario
  if (fuso === 'UTC' || fuso.includes('/') || fuso === current.atendimento.horario.fuso) return
  throw unknownTimeZone()
}

/** Replaces an odd spelling such as `AMERICA/manaus`. An alias stays, and so does a stored zone that Node lost. */
function withUsualZone(horario: Horario): Horario {
  const usual = usualZone(horario.fuso)
  return usual?.toLowerCase() === horario.fuso.toLowerCase() ? { ...horario, fuso: usual } : horario
}

function usualZone(timeZone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

export function unknownTimeZone(): AppError {
  const mensagem = 'Fuso horário desconhecido'
  return new AppError('dadosInvalidos', {
    erro: mensagem,
    detalhes: [{ caminho: 'atendimento.horario.fuso', mensagem }],
  })
}

function requireIaAllowed(config: Config, limites: ContaLimits): void {
  if (!config.ia.ativa) return
  if (!limites.iaPermitida) throw new AppError('limitePlano', { erro: 'Seu plano não inclui a IA.' })
  if (config.gemini.apiKey !== '') return
  const mensagem = 'API Key é obrigatória quando a IA está ativada'
  throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'ia.apiKey', mensagem }] })
}

/** A menu above the cap of the plan may be kept, but not changed. */
function requireMenuAllowed(current: Config, fresh: Config, { opcoesMenuMaximo }: ContaLimits): void {
  const count = fresh.menu.opcoes.length
  if (opcoesMenuMaximo === null || count <= opcoesMenuMaximo) return
  const numbers = (config: Config): string[] => config.menu.opcoes.map(({ numero }) => numero)
  if (isDeepStrictEqual(numbers(current), numbers(fresh))) return
  const error = `Seu plano permite até ${opcoesMenuMaximo} opções no menu.`
  throw new AppError('limitePlano', { erro: error, usado: count, limite: opcoesMenuMaximo })
}

export function applyPlanoToConfig(config: Config, iaPermitida: boolean): Config {
  return iaPermitida || !config.ia.ativa ? config : { ...config, ia: { ...config.ia, ativa: false } }
}
