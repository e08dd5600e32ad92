import { chaveDoEndereco, garantirContatos } from '#bot/contatos.ts'
import { enderecoCanonico, lerTelefone } from '#bot/endereco.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { openRehearsal } from './repository.ts'

type TestarDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'acontecerEm'>

/**
 * Asks a contact for a rating, in a simulated conversation: nothing leaves, nothing is counted, and no running bot is
 * needed. The contact's next 0 to 5 that the bot receives is stored. Gives the phone. Throws `dadosInvalidos` for what is
 * no phone, `conflito` for a customer who is with people and for an account in maintenance, where nothing is asked.
 */
export async function testarAvaliacao(deps: TestarDeps, contaId: string, whatsappId: string): Promise<string> {
  const telefone = lerTelefone(whatsappId)
  if (telefone === null) {
    const mensagem = 'Informe um telefone com DDD'
    throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'whatsappId', mensagem }] })
  }
  await deps.db.transaction(contaId, async (tx) => {
    await exigirSemManutencao(tx, contaId)
    const contatoId = await contatoDo(tx, deps, contaId, telefone)
    const aberta = await openRehearsal(tx, contaId, { id: deps.ids.uuid(), contatoId, em: deps.clock.now() })
    if (!aberta) {
      throw new AppError('conflito', { erro: 'Este contato está em atendimento. Finalize a conversa antes de testar.' })
    }
    await deps.acontecerEm(tx, contaId, contatoId, (base) => ({ tipo: 'avaliacaoSimulada', ...base }))
  })
  return telefone
}

async function exigirSemManutencao(tx: Tx, contaId: string): Promise<void> {
  const { manutencao } = await tx.kysely
    .selectFrom('contas')
    .select('manutencao')
    .where('id', '=', contaId)
    .executeTakeFirstOrThrow()
  if (manutencao)
    throw new AppError('conflito', { erro: 'O bot está em manutenção. Termine a manutenção e teste de novo.' })
}

/** Found or made; asked again when somebody else makes it at this very moment. */
async function contatoDo(tx: Tx, { ids }: TestarDeps, contaId: string, telefone: string): Promise<string> {
  const canonico = enderecoCanonico(telefone, telefone)
  const novo = { contaId, id: ids.uuid(), canonico, nome: '', telefone, endereco: telefone }
  for (let vez = 0; vez < 3; vez += 1) {
    const id = (await garantirContatos(tx, [novo])).get(chaveDoEndereco(contaId, canonico))
    if (id !== undefined) return id
  }
  throw new AppError('conflito')
}
