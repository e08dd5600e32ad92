import { createIds } from '#ids.ts'
import { type TestApp } from '#test/app.ts'

interface WrittenConversa {
  readonly status: 'bot' | 'aguardando' | 'em_atendimento' | 'finalizada'
  readonly telefone: string
  readonly nome?: string
  readonly texts?: readonly string[]
  readonly queued?: boolean
  readonly direcao?: 'entrada' | 'saida'
  /** Creates ids at the current test time, which may be earlier than the server's last id. */
  readonly inThePast?: boolean
}

/** Writes a contato with one conversa and its mensagens as the bot does. Returns their ids. */
export async function writeConversa(
  { deps, database }: TestApp,
  contaId: string,
  {
    status,
    telefone,
    nome = 'Cliente',
    texts = [],
    queued = false,
    direcao = 'saida',
    inThePast = false,
  }: WrittenConversa,
): Promise<{ contato: string; conversa: string; mensagens: string[] }> {
  const ids = inThePast ? createIds(deps.clock) : deps.ids
  const contato = ids.uuid()
  const conversa = ids.uuid()
  const agora = deps.clock.now()
  const { owner } = database
  await owner.query(
    `insert into contatos (conta_id, id, nome, telefone, endereco, estado, conversa_id, ultima_atividade)
     values ($1, $2, $3, $4, $5, '{"etapa": "menu", "versao": 1}', $6, $7)`,
    [contaId, contato, nome, telefone, `tel:${telefone}`, conversa, agora],
  )
  await owner.query(
    `insert into conversas (conta_id, id, contato_id, status, setor, iniciada_em) values ($1, $2, $3, $4, 'geral', $5)`,
    [contaId, conversa, contato, status, agora],
  )
  const mensagens = texts.map(() => ids.uuid())
  for (const [index, id] of mensagens.entries()) {
    await owner.query(
      `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, id_externo, estado, criada_em)
       values ($1, $2, $3, $4, $5, $6, 'simulador', $8, 'enviada', $7)`,
      [contaId, id, conversa, direcao, direcao === 'saida' ? 'bot' : 'cliente', texts[index], agora, `ext-${id}`],
    )
  }
  const last = mensagens.at(-1)
  if (queued && last !== undefined) {
    await owner.query(
      `insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo) values ($1, $2, $3, 'tel:1', '{}', 'x')`,
      [contaId, last, contato],
    )
  }
  return { contato, conversa, mensagens }
}
