import type { Midia } from '@balcao/contract/entities/mensagem'
import { CAPTION_MAX, produtoSheet } from '@balcao/engine/rules/loja'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { hasImage } from '#modules/arquivos/index.ts'
import { type SendDeps, sendMensagem, type SentMensagem } from '#modules/atendimento/index.ts'
import { findProduto } from './repository.ts'

interface ProdutoPart {
  readonly texto: string
  readonly midia?: Midia
}

/** Picture and text as the catalogue sends them. A picture that was deleted meanwhile is left out. */
async function requireParts(tx: Tx, contaId: string, id: string): Promise<readonly [ProdutoPart, ...ProdutoPart[]]> {
  const produto = isUuid(id) ? await findProduto(tx, { contaId, id }) : null
  if (produto === null || !produto.ativo) throw new AppError('naoEncontrado')
  const { imagemUrl: url, ...shown } = produto
  const texto = produtoSheet(shown)
  if (url === null || !(await hasImage(tx, contaId, url))) return [{ texto }]
  const midia = { tipo: 'imagem', url } as const
  return texto.length <= CAPTION_MAX ? [{ texto, midia }] : [{ texto: `*${shown.nome}*`, midia }, { texto }]
}

/** Throws `naoEncontrado` for an unknown or inactive produto, and the errors of a send. */
export function sendProduto(
  deps: SendDeps,
  session: LoginSession,
  { id: conversaId, produtoId }: { readonly id: string; readonly produtoId: string },
): Promise<SentMensagem> {
  const { contaId } = session
  return deps.db.transaction(contaId, async (tx) => {
    const [first, ...rest] = await requireParts(tx, contaId, produtoId)
    const send = (part: ProdutoPart) => sendMensagem(tx, deps, { contaId, conversaId, operador: session, ...part })
    const sent = await send(first)
    for (const part of rest) await send(part)
    return sent
  })
}
