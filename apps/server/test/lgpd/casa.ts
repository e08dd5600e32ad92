import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { waitUntil } from '#test/bot/house.ts'
import { docx } from '#test/midias/amostras.ts'
import { formFile, type MidiasApp, type MidiasUser } from '#test/midias/casa.ts'

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
  app: MidiasApp,
  user: MidiasUser,
  customer: Pick<SeededCustomer, 'telefone' | 'nome' | 'marker'>,
): Promise<SeededCustomer> {
  const { telefone, nome, marker } = customer
  const diz = (texto: string, mais: Record<string, Blob> = {}) => user.sendAsCustomer(telefone, { nome, texto, ...mais })
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
  const lerMensagens = (): Promise<Record<string, unknown>[]> =>
    app.sql('select id from mensagens where conta_id = $1 and conversa_id = $2 order by id', [contaId, conversaId])
  const mensagemIds = z
    .array(idSchema)
    .parse(await lerMensagens())
    .map(({ id }) => id)
  const ultima = mensagemIds.at(-1)
  await app.sql(`insert into respostas_ia (conta_id, mensagem_id, dados, criada_em) values ($1, $2, $3, now())`, [
    contaId,
    ultima,
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
  await app.sql(`insert into whatsapp_chaves (conta_id, tipo, id, valor) values ($1, 'session', $2, 'selado')`, [
    contaId,
    `${telefone}.0`,
  ])
  const local = telefone.slice(-8)
  for (const [mensagem, detalhes] of [
    [`Falha ao responder (${telefone.slice(2, 4)}) 9${local.slice(0, 4)}-${local.slice(4)}`, null],
    ['Uma mensagem não pôde ser enviada', { mensagemId: ultima }],
    [`Conversa com ${nome} demorou`, null],
  ] as const) {
    await app.sql(
      `insert into logs (conta_id, id, tipo, mensagem, detalhes, timestamp) values ($1, $2, 'info', $3, $4, now())`,
      [contaId, randomUUID(), mensagem, detalhes === null ? null : JSON.stringify(detalhes)],
    )
  }
  const [guardado] = await waitUntil(async () => {
    const linhas = await app.sql(`select nome from arquivos where conta_id = $1 and nome_original like $2`, [
      contaId,
      `%${marker}%`,
    ])
    return linhas.length > 0 && linhas
  })
  return { ...customer, contatoId, conversaId, mensagemIds, arquivo: String(guardado?.['nome']) }
}

export async function dumpDatabase(sql: MidiasApp['sql'], exceptContas: readonly string[] = []): Promise<string> {
  const tabelas = await sql(
    `select t.table_name as tabela, exists (
       select 1 from information_schema.columns c
       where c.table_schema = 'public' and c.table_name = t.table_name and c.column_name = 'conta_id') as tem_conta
     from information_schema.tables t where t.table_schema = 'public' and t.table_type = 'BASE TABLE'`,
  )
  const partes: string[] = []
  for (const { tabela, tem_conta } of tabelas) {
    const linhas = await sql(
      `select x::text as linha from ${String(tabela)} x ${tem_conta === true ? 'where x.conta_id::text <> all ($1)' : 'where $1::text[] is not null'}`,
      [[...exceptContas]],
    )
    partes.push(...linhas.map(({ linha }) => `${String(tabela)} ${String(linha)}`))
  }
  return partes.join('\n')
}

export async function readFolder(folder: string): Promise<string> {
  const itens = await readdir(folder, { recursive: true, withFileTypes: true })
  const textos = itens.map(async (item) => {
    const caminho = join(item.parentPath, item.name)
    return item.isFile() ? `${caminho}\n${await readFile(caminho, 'latin1')}` : caminho
  })
  return (await Promise.all(textos)).join('\n')
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
