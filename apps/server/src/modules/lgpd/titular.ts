import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { parsePhone } from '#modules/conversas/index.ts'

/** Data subject under the LGPD: a contato with all its addresses. */
export interface Titular {
  readonly id: string
  readonly nome: string
  readonly telefone: string
  readonly criadoEm: Date
  readonly ultimaAtividade: Date
  readonly memoria: unknown
  /** Canonical form, such as `tel:5511987654321`. */
  readonly enderecos: readonly string[]
}

const titularSchema = z.object({
  id: z.string(),
  nome: z.string(),
  telefone: z.string(),
  criado_em: z.date(),
  ultima_atividade: z.date(),
  estado: z.unknown(),
  endereco: z.string(),
  enderecos: z.array(z.string()),
})

const SELECT_TITULAR = `
select c.id, c.nome, c.telefone, c.criado_em, c.ultima_atividade, c.estado, c.endereco,
  array(select e.endereco from enderecos e where e.conta_id = c.conta_id and e.contato_id = c.id order by e.endereco) as enderecos
from contatos c where c.conta_id = $1 and c.id = $2`

function toTitular({
  criado_em,
  ultima_atividade,
  estado,
  endereco,
  enderecos,
  ...rest
}: z.output<typeof titularSchema>): Titular {
  return {
    ...rest,
    criadoEm: criado_em,
    ultimaAtividade: ultima_atividade,
    memoria: estado,
    enderecos: enderecos.length === 0 ? [endereco] : enderecos,
  }
}

/**
 * Finds a customer by a typed phone number, with or without the ninth digit, or by the address of the service.
 * Throws `naoEncontrado`.
 */
export async function findTitular(tx: Tx, contaId: string, typed: string): Promise<Titular> {
  const telefone = parsePhone(typed)
  const [found] = await tx.rows(
    z.object({ contato_id: z.string() }),
    'select contato_id from enderecos where conta_id = $1 and endereco = $2',
    [contaId, telefone === null ? typed : `tel:${telefone}`],
  )
  const titular = found === undefined ? null : await findTitularById(tx, contaId, found.contato_id)
  if (titular === null) {
    throw new AppError('naoEncontrado', { erro: 'Nenhum cliente com este número. Nada dele está guardado aqui.' })
  }
  return titular
}

export async function findTitularById(tx: Tx, contaId: string, contatoId: string): Promise<Titular | null> {
  const [line] = await tx.rows(titularSchema, SELECT_TITULAR, [contaId, contatoId])
  return line === undefined ? null : toTitular(line)
}

export async function lockTitular(tx: Tx, contaId: string, contatoId: string): Promise<Titular | null> {
  await tx.query('select 1 from contatos where conta_id = $1 and id = $2 for update', [contaId, contatoId])
  return findTitularById(tx, contaId, contatoId)
}
