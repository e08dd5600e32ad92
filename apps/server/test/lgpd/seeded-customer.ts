import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { etiquetasRoute } from '@balcao/contract/routes/etiquetas'
import { docx } from '#test/midias/sample-files.ts'
import { type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { formFile, sendAsCustomer } from '#test/builders.ts'

/** One customer with recognizable data in every table and folder. */
export interface SeededCustomer {
  readonly telefone: string
  readonly nome: string
  readonly marker: string
  readonly contatoId: string
  readonly conversaId: string
  readonly mensagemIds: readonly string[]
  readonly arquivo: string
}

const idSchema = z.object({ id: z.string() })
const contatoSchema = z.object({ id: z.string(), conversa_id: z.string() })

/** Creates the customer through the API where possible, else with SQL. */
export async function seedCustomer(
  app: TestApp,
  user: TestUser,
  customer: Pick<SeededCustomer, 'telefone' | 'nome' | 'marker'>,
): Promise<SeededCustomer> {
  const { telefone, nome, marker } = customer
  const diz = (texto: string, mais: Record<string, Blob> = {}) =>
    sendAsCustomer(user, telefone, { nome, texto, ...mais })
  await diz(`oi, eu gosto de ${marker}`)
  await diz('segue', { arquivo: formFile(docx(), `contrato-${marker}.docx`) })
  await diz('atendente')
  await app.idle()
  const [contato] = z
    .array(contatoSchema)
    .parse(
      await app.sql('select id, conversa_id from contatos where conta_id = $1 and nome = $2', [user.contaId, nome]),
    )
  if (contato === undefined) throw new Error('contato not found')
  const { id: contatoId, conversa_id: conversaId } = contato
  const { contaId } = user
  await user.request('POST', '/etiquetas', { nome: 'Fã', cor: 'pink' })
  const { etiquetas: known } = etiquetasRoute.response.parse((await user.request('GET', '/etiquetas')).body)
  const etiquetas = known.map(({ id }) => id)
  await user.request('PUT', `/contatos/${contatoId}`, { observacao: `prefere ${marker}`, etiquetas })
  await user.request('POST', `/atendimento/conversas/${conversaId}/agendadas`, {
    ...{ mensagem: `lembrete ${marker}`, enviarEm: new Date(Date.now() + 86_400_000).toISOString() },
  })
  await user.request('POST', `/atendimento/conversas/${conversaId}/notas`, { texto: `já comprou ${marker}` })
  const lerMensagens = (): Promise<Record<string, unknown>[]> =>
    app.sql('select id from mensagens where conta_id = $1 and conversa_id = $2 order by id', [contaId, conversaId])
  const mensagemIds = z
    .array(idSchema)
    .parse(await lerMensagens())
    .map(({ id }) => id)
  const last = mensagemIds.at(-1)
  await app.sql(`insert into respostas_ia (conta_id, mensagem_id, dados, criada_em) values ($1, $2, $3, now())`, [
    contaId,
    last,
    JSON.stringify({ pergunta: marker }),
  ])
  await app.sql(`insert into avaliacoes (conta_id, id, conversa_id, contato_id, nota) values ($1, $2, $3, $4, 5)`, [
    contaId,
    randomUUID(),
    conversaId,
    contatoId,
  ])
  await app.sql(
    `insert into perguntas_ia (conta_id, id, contato_id, perguntar_em) values ($1, $2, $3, now() + interval '1 day')`,
    [contaId, randomUUID(), contatoId],
  )
  await app.sql('insert into bots (conta_id) values ($1) on conflict do nothing', [contaId])
  await app.sql(
    `insert into oficial_contas (conta_id, telefone_id, conta_whatsapp_id, token, segredo, verificacao, endereco)
     values ($1::uuid, '', '', '', '', '', $1::uuid::text) on conflict do nothing`,
    [contaId],
  )
  await app.sql(`insert into whatsapp_chaves (conta_id, tipo, id, valor) values ($1, 'session', $2, 'selado')`, [
    contaId,
    `${telefone}.0`,
  ])
  for (const [journal, address] of [
    ['oficial_chegadas', telefone],
    ['whatsapp_chegadas', `${telefone}@s.whatsapp.net`],
  ] as const) {
    const entryId = `chegada-${marker}`
    const opened = JSON.stringify({ key: { remoteJid: address }, texto: marker })
    await app.sql(`insert into ${journal} (conta_id, id, valor) values ($1, $2, $3)`, [
      contaId,
      entryId,
      app.deps.vault.seal(opened, `${journal}|valor|${contaId}|${entryId}`),
    ])
  }
  const local = telefone.slice(-8)
  for (const [mensagem, details] of [
    [`Falha ao responder (${telefone.slice(2, 4)}) 9${local.slice(0, 4)}-${local.slice(4)}`, null],
    ['Uma mensagem não pôde ser enviada', { mensagemId: last }],
    [`Conversa com ${nome} demorou`, null],
  ] as const) {
    await app.sql(
      `insert into logs (conta_id, id, tipo, mensagem, detalhes, timestamp) values ($1, $2, 'info', $3, $4, now())`,
      [contaId, randomUUID(), mensagem, details === null ? null : JSON.stringify(details)],
    )
  }
  const [stored] = await waitUntil(async () => {
    const lines = await app.sql(`select nome from arquivos where conta_id = $1 and nome_original like $2`, [
      contaId,
      `%${marker}%`,
    ])
    return lines.length > 0 && lines
  })
  return { ...customer, contatoId, conversaId, mensagemIds, arquivo: String(stored?.['nome']) }
}

export async function dumpDatabase(sql: TestApp['sql'], exceptContas: readonly string[] = []): Promise<string> {
  const tables = await sql(
    `select t.table_name as tabela, exists (
       select 1 from information_schema.columns c
       where c.table_schema = 'public' and c.table_name = t.table_name and c.column_name = 'conta_id') as tem_conta
     from information_schema.tables t where t.table_schema = 'public' and t.table_type = 'BASE TABLE'`,
  )
  const parts: string[] = []
  for (const { tabela, tem_conta } of tables) {
    const lines = await sql(
      `select x::text as linha from ${String(tabela)} x ${tem_conta === true ? 'where x.conta_id::text <> all ($1)' : 'where $1::text[] is not null'}`,
      [[...exceptContas]],
    )
    parts.push(...lines.map(({ linha }) => `${String(tabela)} ${String(linha)}`))
  }
  return parts.join('\n')
}

export async function readFolder(folder: string): Promise<string> {
  const items = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = items.map(async (item) => {
    const path = join(item.parentPath, item.name)
    return item.isFile() ? `${path}\n${await readFile(path, 'latin1')}` : path
  })
  return (await Promise.all(texts)).join('\n')
}

export function tracesOf({
  telefone,
  nome,
  marker,
  contatoId,
  conversaId,
  mensagemIds,
  arquivo: nomeDoArquivo,
}: SeededCustomer): string[] {
  return [telefone.slice(-8), nome, marker, contatoId, conversaId, nomeDoArquivo, ...mensagemIds]
}

export const foundTraces = (text: string, traces: readonly string[]): string[] =>
  traces.filter((rastro) => text.includes(rastro))
