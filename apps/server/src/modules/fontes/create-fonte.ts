import type { FastifyRequest } from 'fastify'
import {
  arquivoFonteInputSchema,
  type Fonte,
  FONTE_MAXIMO_BYTES,
  FONTES_MAXIMO,
  fonteInputSchema,
} from '@balcao/contract/entities/fonte'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { chosenFile, readForm } from '#http/form.ts'
import { parseShape } from '#http/parse-shape.ts'
import { announceFonte } from './announce.ts'
import { countFontes, insertFonte, lockFontes, type NewFonte } from './repository.ts'

export type CreateFonteDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'realtime' | 'fontesQueued'>

/** Stores a text, a site or a file, which is read later. Throws `dadosInvalidos`, `arquivoGrande` and `limiteFontes`. */
export async function createFonte(deps: CreateFonteDeps, contaId: string, request: FastifyRequest): Promise<Fonte> {
  const input = request.isMultipart()
    ? await readFile(request, contaId)
    : toNew(parseShape(fonteInputSchema, request.body ?? {}))
  const { db, clock, ids, fontesQueued } = deps
  return db.transaction(contaId, async (tx) => {
    await lockFontes(tx, { contaId })
    if ((await countFontes(tx, { contaId })) >= FONTES_MAXIMO) throw new AppError('limiteFontes')
    const fonte = await insertFonte(tx, { contaId, id: ids.uuid(), now: clock.now(), ...input })
    announceFonte(tx, deps, contaId, fonte)
    tx.afterCommit(fontesQueued)
    return fonte
  })
}

type FonteInput = ReturnType<typeof parseShape<typeof fonteInputSchema>>

const instantOf = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text))

function toNew(input: FonteInput): NewFonte {
  const expiraEm = instantOf(input.expiraEm)
  if (input.tipo === 'texto') {
    const conteudo = Buffer.from(input.texto, 'utf8')
    const { tipo, titulo } = input
    return { tipo, titulo, arquivo: null, url: null, paginas: null, conteudo, bytes: conteudo.length, expiraEm }
  }
  const { tipo, url, paginas, titulo = new URL(url).host } = input
  return { tipo, titulo, arquivo: null, url: new URL(url).href, paginas, conteudo: null, bytes: 0, expiraEm }
}

const TOO_BIG = 'O arquivo deve ter no máximo 10 MB.'
const TITLE_MAX = 120

async function readFile(request: FastifyRequest, contaId: string): Promise<NewFonte> {
  const form = await readForm(request, contaId, { maxBytes: FONTE_MAXIMO_BYTES }).catch((error: unknown) => {
    throw error instanceof AppError && error.codigo === 'arquivoGrande'
      ? new AppError('arquivoGrande', { erro: TOO_BIG })
      : error
  })
  const file = chosenFile(form.file?.field === 'arquivo' ? form.file : null)
  const { titulo, expiraEm } = parseShape(arquivoFonteInputSchema, form.fields)
  const name = (file.name.split(/[/\\]/).at(-1) ?? '').toWellFormed()
  return {
    ...{ tipo: 'arquivo', titulo: titulo ?? titleOf(name), arquivo: name.slice(-TITLE_MAX), url: null, paginas: null },
    ...{ conteudo: file.bytes, bytes: file.bytes.length, expiraEm: instantOf(expiraEm) },
  }
}

/** 'tabela_de-entrega.pdf' is shown as 'tabela de entrega'. */
function titleOf(name: string): string {
  const bare = name
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[\p{Cc}\p{Cf}_-]+/gu, ' ')
    .trim()
    .slice(0, TITLE_MAX)
    .toWellFormed()
  return bare === '' ? 'Arquivo' : bare
}
