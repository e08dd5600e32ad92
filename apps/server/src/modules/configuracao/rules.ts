import { isDeepStrictEqual } from 'node:util'
import { type ConectorTipo, hasNumber } from '@balcao/contract/connectors'
import type { Componente } from '@balcao/contract/constants'
import type { Config, Horario, MenuConfig, OpcaoMenu, Setor } from '@balcao/contract/entities/config'
import type { LinhaConfig } from '@balcao/contract/entities/linha'
import { withChaves } from '@balcao/contract/presets/provedores-ia'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { ErrorDetail } from '@balcao/contract/errors'
import { AppError } from '#errors.ts'
import { type LoginSession, hasComponente } from '#http/authentication.ts'
import { resolveKeys } from './ia/api-key.ts'
import { requireIaAllowed, requireKeyOfHost } from './ia/ia-rules.ts'
import type { LineSections, WholeConfig } from './stored-config.ts'

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
  readonly resolved: ResolvedSetores
}

export const NO_SECTION: WritableSections = {
  whatsapp: false,
  gemini: false,
  ia: false,
  menu: false,
  atendimento: false,
  loja: false,
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
    loja: has('lojaWhatsapp'),
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
  const atendimento = allowed.atendimento ? sent.atendimento : current.atendimento
  const resolved = resolveSetores(current.atendimento.setores, atendimento.setores, mode)

  const menu = allowed.menu ? sent.menu : current.menu
  const opcoes = resolveOpcoes(menu.opcoes, resolved)

  const merged: Config = {
    whatsapp: allowed.whatsapp ? sent.whatsapp : current.whatsapp,
    gemini: current.gemini,
    ia: allowed.ia ? sent.ia : current.ia,
    menu: { ...menu, opcoes },
    atendimento: { ...atendimento, horario: withUsualZone(atendimento.horario), setores: resolved.setores },
    loja: allowed.loja ? sent.loja : current.loja,
  }
  const config = withChaves(merged, resolveKeys(current, sent, allowed))
  if (allowed.ia) requireKeyOfHost(current, sent)
  requireConector(current, config, mode.conectores)
  requireTimeZone(current.atendimento.horario, config.atendimento.horario, ZONE_PATH)
  requireIaAllowed(config, limits)
  requireMenuAllowed(current.menu, config.menu, limits)
  return { config, removedSetores: resolved.removidos, resolved }
}

/** A conta may keep a connector that this server does not have, but not change to it. */
function requireConector(current: Config, { whatsapp }: Config, conectores: readonly ConectorTipo[]): void {
  const { conector } = whatsapp
  if (conector === current.whatsapp.conector || (conectores.includes(conector) && hasNumber(conector))) return
  const mensagem = hasNumber(conector)
    ? 'Este conector não está instalado neste servidor.'
    : 'O chat no site não pode ser a linha principal.'
  throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'whatsapp.conector', mensagem }] })
}

/** PostgreSQL rejects other forms that JavaScript accepts, or reads offsets with the opposite sign. */
function requireTimeZone(current: Horario, { fuso }: Horario, caminho: string): void {
  if (fuso === 'UTC' || fuso.includes('/') || fuso === current.fuso) return
  throw unknownTimeZone(caminho)
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

const ZONE_PATH = 'atendimento.horario.fuso'
export const LINE_ZONE_PATH = 'horario.fuso'

export function unknownTimeZone(caminho = ZONE_PATH): AppError {
  const mensagem = 'Fuso horário desconhecido'
  return new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho, mensagem }] })
}

/** A menu above the cap of the plan may be kept, but not changed. */
function requireMenuAllowed(current: MenuConfig, fresh: MenuConfig, { opcoesMenuMaximo }: ContaLimits): void {
  const count = fresh.opcoes.length
  if (opcoesMenuMaximo === null || count <= opcoesMenuMaximo) return
  const numbers = ({ opcoes }: MenuConfig): string[] => opcoes.map(({ numero }) => numero)
  if (isDeepStrictEqual(numbers(current), numbers(fresh))) return
  const error = `Seu plano permite até ${opcoesMenuMaximo} opções no menu.`
  throw new AppError('limitePlano', { erro: error, usado: count, limite: opcoesMenuMaximo })
}

/** A plan without the AI switches it off, for the account and for each line. */
export function applyPlanoToConfig(whole: WholeConfig, iaPermitida: boolean): WholeConfig {
  if (iaPermitida) return whole
  const { config, linhas } = whole
  const off = Object.entries(linhas).map(([id, line]) => [
    id,
    line.iaAtiva === true ? { ...line, iaAtiva: false } : line,
  ])
  return { config: { ...config, ia: { ...config.ia, ativa: false } }, linhas: Object.fromEntries(off) }
}

/**
 * The sections of lines beside the merged settings. Options of a setor that is gone lead to Geral. The line `changed` is
 * checked as the settings are, and throws the same errors.
 */
export function mergeLines(
  sent: LineSections,
  { config, resolved }: Pick<ConfigMerge, 'config' | 'resolved'>,
  limits: ContaLimits,
  changed: { readonly linhaId: string; readonly before: LinhaConfig | undefined } | null,
): LineSections {
  return Object.fromEntries(
    Object.entries(sent).map(([linhaId, line]) => {
      if (linhaId !== changed?.linhaId) return [linhaId, withKnownSetores(line, resolved)]
      const fresh = withResolvedSections(line, resolved)
      requireLineAllowed(fresh, config, limits, changed.before)
      return [linhaId, fresh]
    }),
  )
}

function withKnownSetores(line: LinhaConfig, { setores }: ResolvedSetores): LinhaConfig {
  if (line.menu === null) return line
  const known = new Set(setores.map(({ id }) => id))
  const opcoes = line.menu.opcoes.map((opcao) =>
    opcao.setor === undefined || known.has(opcao.setor) ? opcao : { ...opcao, setor: SETOR_GERAL },
  )
  return { ...line, menu: { ...line.menu, opcoes } }
}

function withResolvedSections({ menu, horario, iaAtiva }: LinhaConfig, resolved: ResolvedSetores): LinhaConfig {
  return {
    menu: menu === null ? null : { ...menu, opcoes: resolveOpcoes(menu.opcoes, resolved) },
    horario: horario === null ? null : withUsualZone(horario),
    iaAtiva,
  }
}

function requireLineAllowed(
  { menu, horario, iaAtiva }: LinhaConfig,
  account: Config,
  limits: ContaLimits,
  before: LinhaConfig | undefined,
): void {
  const { ia, atendimento } = account
  const asAccount = { ...account, ia: { ...ia, ativa: iaAtiva === true } }
  requireIaAllowed(asAccount, limits)
  if (menu !== null) requireMenuAllowed(before?.menu ?? account.menu, menu, limits)
  if (horario !== null) requireTimeZone(before?.horario ?? atendimento.horario, horario, LINE_ZONE_PATH)
}
