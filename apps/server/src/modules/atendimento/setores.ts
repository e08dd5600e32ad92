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

export async function criarSetor(deps: ConfigDeps, sessao: Sessao, novo: SetorNovo): Promise<Setor> {
  const { atendimento } = await salvarSetores(deps, sessao, (atuais) => [
    ...atuais,
    // No stored setor has an empty id, so this one is treated as new.
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

/** Menu options, waiting conversas and conversas being served move to the setor Geral. */
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
  if (setor === undefined) throw new Error('setor not found after save')
  return setor
}
