import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'

/** Bytes of a mensagem in the table and its indexes. */
const ROW_BYTES = 1_280
const CONVERSAS = 1_000
const ROWS_PER_STATEMENT = 50_000

const uuidOf = (number: string): string => `lpad(to_hex(${number}), 32, '0')::uuid`

/** Stores mensagens of a conta without a bot until they fill about `bytes`. Needs a connection without row-level security. */
export async function storeMensagens(client: Pick<ClientBase, 'query'>, bytes: number): Promise<void> {
  const contaId = randomUUID()
  await client.query(
    "insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos) values ($1, 'Arquivo', 1, '{}')",
    [contaId],
  )
  await client.query(
    `insert into contatos (conta_id, id, nome, endereco)
     select $1, ${uuidOf('n')}, 'Cliente ' || n, 'arquivo:' || n from generate_series(1, $2::int) n`,
    [contaId, CONVERSAS],
  )
  await client.query(
    `insert into conversas (conta_id, id, contato_id, status, finalizada_em)
     select $1, ${uuidOf('n')}, ${uuidOf('n')}, 'finalizada', now() from generate_series(1, $2::int) n`,
    [contaId, CONVERSAS],
  )
  for (let stored = 0; stored * ROW_BYTES < bytes; stored += ROWS_PER_STATEMENT) {
    await client.query(
      `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
       select $1, ${uuidOf('n')}, ${uuidOf('n % $4::int + 1')}, 'saida', 'bot', repeat(md5(n::text), 32), 'simulador',
         'enviada', now() from generate_series($2::int, $3::int) n`,
      [contaId, stored + 1, stored + ROWS_PER_STATEMENT, CONVERSAS],
    )
  }
}
