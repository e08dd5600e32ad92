import type { CorSetor } from '@balcao/contract/constants'
import type { Setor } from '@balcao/contract/entities/config'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import { type ConfigDeps, loadConfig, salvarSetores, SETOR_GERAL } from '#modules/configuracao/index.ts'

export interface SetorNovo {
  readonly nome: string
  readonly cor: CorSetor
  readonly ativo: boolean
}

export interface SetorMudado {
  readonly nome?: string | undefined
  readonly cor?: CorSetor | undefined
  readonly ativo?: boolean | undefined
}

export async function listarSetores(deps: ConfigDeps, contaId: string): Promise<Setor[]> {
  const { config } = await deps.db.transaction(contaId, (tx) => loadConfig(tx, deps, contaId))
  return config.atendimento.setores
}

/** The new sector comes last and gets its id from its name. */
export async function criarSetor(deps: ConfigDeps, sessao: Sessao, novo: SetorNovo): Promise<Setor> {
  const { atendimento } = await salvarSetores(deps, sessao, (atuais) => [
    ...atuais,
    // No stored sector has an empty id, so this one is new.
    { ...novo, id: '', criadoEm: deps.clock.now().toISOString() },
  ])
  return oQueEsta(atendimento.setores.at(-1))
}

export async function atualizarSetor(
  deps: ConfigDeps,
  sessao: Sessao,
  { id, mudado }: { readonly id: string; readonly mudado: SetorMudado },
): Promise<Setor> {
  const { atendimento } = await salvarSetores(deps, sessao, (atuais) => {
    exigir(atuais, id)
    return atuais.map((setor) => (setor.id === id ? misturar(setor, mudado) : setor))
  })
  return oQueEsta(atendimento.setores.find((setor) => setor.id === id))
}

/** What pointed to it moves to Geral: options of the menu and conversations that wait or are served. */
export async function removerSetor(deps: ConfigDeps, sessao: Sessao, id: string): Promise<Setor[]> {
  if (id === SETOR_GERAL) throw new AppError('setorGeral')
  const { atendimento } = await salvarSetores(deps, sessao, (atuais) => {
    exigir(atuais, id)
    return atuais.filter((setor) => setor.id !== id)
  })
  return atendimento.setores
}

function misturar(setor: Setor, { nome, cor, ativo }: SetorMudado): Setor {
  return { ...setor, nome: nome ?? setor.nome, cor: cor ?? setor.cor, ativo: ativo ?? setor.ativo }
}

function exigir(atuais: readonly Setor[], id: string): void {
  if (!atuais.some((setor) => setor.id === id)) throw new AppError('naoEncontrado')
}

function oQueEsta(setor: Setor | undefined): Setor {
  if (setor === undefined) throw new Error('a sector that was just saved is not there')
  return setor
}
