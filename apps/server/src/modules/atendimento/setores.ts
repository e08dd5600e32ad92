import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { BodyOf } from '@balcao/contract/define-route'
import type { Setor } from '@balcao/contract/entities/config'
import type { atualizarSetorRoute, criarSetorRoute } from '@balcao/contract/routes/atendimento-setores'
import type { ListedSetor } from '@balcao/contract/routes/atendimento-resumo'
import { inOrder } from '#db/statement/statement.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { type ConfigDeps, loadConfig, saveSetores } from '#modules/configuracao/index.ts'
import { listPeopleOfSetores, withPeople } from '#modules/contas/index.ts'

type NewSetor = BodyOf<typeof criarSetorRoute>
type SetorChange = BodyOf<typeof atualizarSetorRoute>

export function listSetores(deps: ConfigDeps, contaId: string): Promise<ListedSetor[]> {
  return deps.db.transaction(contaId, async (tx) => {
    const [{ config }, people] = await inOrder([loadConfig(tx, deps, contaId), listPeopleOfSetores(tx, { contaId })])
    return config.atendimento.setores.map((setor) => withPeople(setor, people))
  })
}

export async function createSetor(deps: ConfigDeps, session: RequestSession, input: NewSetor): Promise<Setor> {
  const { atendimento } = await saveSetores(deps, session, (current) => [
    ...current,
    // No stored setor has an empty id, so this one is treated as new.
    { ...input, id: '', criadoEm: deps.clock.now().toISOString() },
  ])
  return savedSetor(atendimento.setores.at(-1))
}

export async function updateSetor(
  deps: ConfigDeps,
  session: RequestSession,
  { id, mudado }: { readonly id: string; readonly mudado: SetorChange },
): Promise<Setor> {
  const { atendimento } = await saveSetores(deps, session, (current) => {
    requireListed(current, id)
    return current.map((setor) => (setor.id === id ? mergeSetor(setor, mudado) : setor))
  })
  return savedSetor(atendimento.setores.find((setor) => setor.id === id))
}

export async function removeSetor(deps: ConfigDeps, session: RequestSession, id: string): Promise<Setor[]> {
  if (id === SETOR_GERAL) throw new AppError('setorGeral')
  const { atendimento } = await saveSetores(deps, session, (current) => {
    requireListed(current, id)
    return current.filter((setor) => setor.id !== id)
  })
  return atendimento.setores
}

function mergeSetor(setor: Setor, { nome, cor, ativo }: SetorChange): Setor {
  return { ...setor, nome: nome ?? setor.nome, cor: cor ?? setor.cor, ativo: ativo ?? setor.ativo }
}

function requireListed(current: readonly Setor[], id: string): void {
  if (!current.some((setor) => setor.id === id)) throw new AppError('naoEncontrado')
}

function savedSetor(setor: Setor | undefined): Setor {
  if (setor === undefined) throw new Error('setor not found after save')
  return setor
}
