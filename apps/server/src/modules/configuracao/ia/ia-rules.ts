import type { Config } from '@balcao/contract/entities/config'
import { isAllowedUrlBase } from '@balcao/contract/entities/provedor-ia'
import { chavesOf, isProvedorReady, withChaves } from '@balcao/contract/presets/provedores-ia'
import * as z from 'zod/mini'
import { sql } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { isMask } from './api-key.ts'

function refused(caminho: string, mensagem: string): AppError {
  return new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho, mensagem }] })
}

/** Throws `limitePlano` or `dadosInvalidos` when the AI is on and lacks something. */
export function requireIaAllowed(config: Config, { iaPermitida }: { readonly iaPermitida: boolean }): void {
  const { ativa, provedor, apresentacao } = config.ia
  if (!ativa) return
  if (!iaPermitida) throw new AppError('limitePlano', { erro: 'Seu plano não inclui a IA.' })
  if (!isProvedorReady(config)) {
    if (provedor === 'compativel') throw refused('ia.urlBase', 'Informe o endereço do provedor para ativar a IA')
    const caminho = provedor === 'gemini' ? 'ia.apiKey' : `ia.chaves.${provedor}`
    throw refused(caminho, 'API Key é obrigatória quando a IA está ativada')
  }
  if (apresentacao.trim() === '') {
    throw refused('ia.apresentacao', 'Escreva a apresentação: o cliente precisa saber que fala com uma IA')
  }
}

const originOf = (urlBase: string): string => URL.parse(urlBase)?.origin ?? urlBase

/** The stored key of a compatible host is not sent to another one: its owner types it again. */
export function requireKeyOfHost(current: Config, sent: Config): void {
  const { compativel: key } = chavesOf(sent)
  const moved = originOf(current.ia.urlBase) !== originOf(sent.ia.urlBase)
  if (moved && isMask(key) && chavesOf(current).compativel !== '') {
    throw refused('ia.chaves.compativel', 'O endereço mudou. Digite a chave dele de novo')
  }
}

/** Keeps the keys in force beside restored settings. The key of another compatible host is dropped. */
export function withKeysInForce(stored: Config, current: Config): Config {
  const keys = chavesOf(current)
  const sameHost = originOf(stored.ia.urlBase) === originOf(current.ia.urlBase)
  const config = withChaves(stored, sameHost ? keys : { ...keys, compativel: '' })
  return { ...config, ia: { ...config.ia, ativa: config.ia.ativa && isProvedorReady(config) } }
}

const findHosts = oneRow(
  'configuracao: find hosts of the AI',
  z.object({ hosts: z.array(z.string()) }),
  sql`select ia_hosts as hosts from configuracoes_admin`,
)

/** Hosts that the administrator allows as `compativel`. */
export async function readIaHosts(tx: Tx): Promise<readonly string[]> {
  return (await findHosts(tx, {}))?.hosts ?? []
}

/** A conta may keep a host that the administrator removed, but not change to it. */
export async function requireAllowedHost(
  tx: Tx,
  { settings }: Pick<Deps, 'settings'>,
  { ia: before }: Config,
  { ia: after }: Config,
): Promise<void> {
  const { provedor, urlBase } = after
  if (provedor !== 'compativel' || urlBase === '') return
  if (before.provedor === provedor && before.urlBase === urlBase) return
  if (isAllowedUrlBase(urlBase, await readIaHosts(tx), { loopback: settings.iaLoopback === true })) return
  throw refused('ia.urlBase', 'Este endereço não é permitido. Peça ao administrador, e comece com https://')
}
