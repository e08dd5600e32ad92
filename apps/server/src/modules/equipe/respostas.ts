import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { loadConfig, lockConta } from '#modules/configuracao/index.ts'
import { listRespostas, replaceRespostas } from '#modules/contas/index.ts'
import { checkSetores, duplicateShortcuts, mayUseResposta, respostasVersion, withHiddenRespostas } from './rules.ts'

export interface Respostas {
  readonly respostas: RespostaRapida[]
  readonly versao: string
}

type Reader = Pick<LoginSession, 'contaId' | 'setores'>

function respostasFor(reader: Reader, stored: readonly RespostaRapida[]): Respostas {
  const respostas = stored.filter((resposta) => mayUseResposta(reader, resposta))
  return { respostas, versao: respostasVersion(respostas) }
}

export async function readRespostas({ db }: Pick<Deps, 'db'>, reader: Reader): Promise<Respostas> {
  return respostasFor(reader, await db.read(reader.contaId, (tx) => listRespostas(tx, { contaId: reader.contaId })))
}

interface SavedRespostas {
  readonly respostas: readonly RespostaRapida[]
  readonly versao?: string | undefined
}

/**
 * Replaces the replies that the reader receives. Throws `dadosInvalidos` for repeated shortcuts, `setorDesconhecido`,
 * and `conflito` if the stored list differs from `versao`, so a concurrent save is not overwritten.
 */
export async function saveRespostas(
  { db, vault }: Pick<Deps, 'db' | 'vault'>,
  reader: Reader,
  { respostas: saved, versao }: SavedRespostas,
): Promise<Respostas> {
  const { contaId } = reader
  return db.transaction(contaId, async (tx) => {
    await lockConta(tx, contaId)
    const known = await requireKnownSetores(tx, { vault }, contaId, saved)
    const stored = await listRespostas(tx, { contaId })
    const changed = versao !== undefined && versao !== respostasFor(reader, stored).versao
    if (changed) throw new AppError('conflito')
    const hidden = stored.filter((resposta) => !mayUseResposta(reader, resposta)).map(({ atalho }) => atalho)
    const detalhes = duplicateShortcuts(known, hidden)
    if (detalhes.length > 0) throw new AppError('dadosInvalidos', { erro: detalhes[0]?.mensagem, detalhes })
    const merged = withHiddenRespostas(stored, known, reader)
    await replaceRespostas(tx, contaId, merged)
    return respostasFor(reader, merged)
  })
}

async function requireKnownSetores(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  contaId: string,
  respostas: readonly RespostaRapida[],
): Promise<RespostaRapida[]> {
  if (respostas.every(({ setores }) => setores.length === 0)) return [...respostas]
  const { config } = await loadConfig(tx, deps, contaId)
  return respostas.map((resposta, index) => {
    const { setores, desconhecidos: detalhes } = checkSetores(
      resposta.setores,
      config.atendimento.setores,
      `respostas.${index}.setores`,
    )
    if (detalhes.length > 0) throw new AppError('setorDesconhecido', { detalhes })
    return { ...resposta, setores: [...setores] }
  })
}
