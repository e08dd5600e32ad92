import type { Produto } from '@balcao/contract/entities/produto'
import { enviarProdutoRoute, produtosDoAtendimentoRoute } from '@balcao/contract/routes/atendimento-mensagens'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import { formatReais } from '@balcao/engine/rules/loja'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ImageOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { showSendFailure, storeSent } from '#features/atendimento/envio/send-result.ts'
import { call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useUsuario } from '#shared/session.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Field } from '#shared/ui/field.tsx'
import { Spinner } from '#shared/ui/spinner.tsx'

interface ProdutoRowProps {
  readonly produto: Produto
  readonly disabled: boolean
  readonly onChoose: () => void
}

function ProdutoRow({ produto: { nome, preco, imagemUrl }, disabled, onChoose }: ProdutoRowProps) {
  return (
    <li>
      <button
        type="button"
        disabled={disabled}
        onClick={onChoose}
        className="flex min-h-14 w-full items-center gap-3 rounded-xl border px-3 py-1.5 text-left hover:bg-sunken"
      >
        {imagemUrl === null ? (
          <span className="grid size-11 flex-none place-items-center rounded-lg bg-sunken text-muted">
            <ImageOff size={18} aria-hidden />
          </span>
        ) : (
          <img src={imagemUrl} alt="" loading="lazy" className="size-11 flex-none rounded-lg object-cover" />
        )}
        <span className="min-w-0 flex-1 truncate font-semibold">{nome}</span>
        <span className="flex-none text-sm tabular-nums">{formatReais(preco)}</span>
      </button>
    </li>
  )
}

interface ProdutoDialogProps {
  readonly conversaId: string
  readonly onClose: () => void
}

function useSendProduto({ conversaId, onClose }: ProdutoDialogProps) {
  const client = useQueryClient()
  const user = useUsuario()
  const [sending, setSending] = useState(false)
  const send = async (produtoId: string): Promise<void> => {
    setSending(true)
    try {
      const { mensagem } = await call(enviarProdutoRoute, { params: { id: conversaId }, body: { produtoId } })
      storeSent(client, conversaId, mensagem, user)
      onClose()
    } catch (error) {
      showSendFailure(client, error, 'Erro ao enviar produto')
      setSending(false)
    }
  }
  return { sending, send }
}

/** The produtos whose name or price contains the typed text. */
function useFound(typed: string) {
  const { data, error } = useQuery({
    queryKey: ['atendimento', 'produtos'],
    queryFn: ({ signal }) => call(produtosDoAtendimentoRoute, { signal }),
    networkMode: 'always',
  })
  const words = foldAccents(typed.trim())
  const found = data?.produtos.filter(({ nome, preco }) => foldAccents(`${nome} ${formatReais(preco)}`).includes(words))
  return { found, error }
}

export function ProdutoDialog(props: ProdutoDialogProps) {
  const [typed, setTyped] = useState('')
  const { found, error } = useFound(typed)
  const { sending, send } = useSendProduto(props)
  const search = useRef<HTMLInputElement>(null)
  // Runs after the dialog opened.
  useEffect(() => search.current?.focus(), [])
  return (
    <Dialog open title="Enviar produto" onClose={props.onClose}>
      <div className="grid gap-3">
        <Field label="Produto" hint="Um toque envia a foto e o texto do catálogo.">
          {(link) => (
            <input
              {...link}
              ref={search}
              type="search"
              className="field"
              placeholder="Nome ou preço"
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
        </Field>
        {error !== null && (
          <p role="alert" className="text-danger-ink">
            Os produtos não carregaram: {errorMessage(error)}
          </p>
        )}
        {found === undefined && error === null && <Spinner />}
        {found?.length === 0 && <p className="text-muted">Nenhum produto ativo com este nome ou preço.</p>}
        <ul aria-label="Produtos" className="grid max-h-[40dvh] gap-1.5 overflow-y-auto">
          {found?.map((produto) => (
            <ProdutoRow key={produto.id} produto={produto} disabled={sending} onChoose={() => void send(produto.id)} />
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
