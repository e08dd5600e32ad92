import { type ConversaReader, mayReadSetor } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import { testeConversaRoute } from '@balcao/contract/routes/atendimento'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useId } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { readerOf } from '#shared/data/conversa-reader.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useUsuario } from '#shared/session.tsx'
import { Menu, type MenuItem } from '#shared/ui/menu.tsx'

const TEST_SETORES = { vendas: 'Vendas', suporte: 'Suporte', financeiro: 'Financeiro' } as const
const REFETCH_AFTER_TEST_MS = 1_000

async function createTestConversa(client: QueryClient, { id, nome }: Pick<Setor, 'id' | 'nome'>): Promise<void> {
  try {
    await call(testeConversaRoute, { body: { setor: id } })
    notify.sucesso(`Conversa de teste criada no setor ${nome}!`)
    setTimeout(() => void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas }), REFETCH_AFTER_TEST_MS)
  } catch (error) {
    notify.erro(`Erro ao criar conversa de teste: ${errorMessage(error)}`)
  }
}

function refusalOf(reader: ConversaReader, setor: Setor | undefined): string | undefined {
  if (setor === undefined) return 'Este setor foi removido.'
  return mayReadSetor(reader, setor.id) ? undefined : 'Você não atende este setor.'
}

/**
 * Returns the three test setores of the specification under their current names. A removed or unreadable setor stays,
 * with the reason.
 */
function useTestChoices(setores: readonly Setor[]): readonly (MenuItem & { readonly id: string })[] {
  const client = useQueryClient()
  const reader = readerOf(useUsuario())
  // An empty list means not loaded, because Geral always exists.
  if (setores.length === 0) return []
  return Object.entries(TEST_SETORES).map(([id, original]) => {
    const setor = setores.find((other) => other.id === id)
    const { nome } = setor ?? { nome: original }
    return {
      id,
      label: nome,
      refusal: refusalOf(reader, setor),
      run: () => void createTestConversa(client, { id, nome }),
    }
  })
}

interface TestConversaProps {
  readonly setores: readonly Setor[]
}

export function TestMenu({ setores, iconOnPhones = false }: TestConversaProps & { iconOnPhones?: boolean }) {
  const items = useTestChoices(setores)
  if (items.length === 0) return null
  return (
    <Menu
      label="Testar conversa"
      button={
        <>
          <FlaskConical size={18} aria-hidden /> <span className={iconOnPhones ? 'max-sm:sr-only' : ''}>Testar</span>
        </>
      }
      items={items}
      className="btn btn-ghost btn-touch flex-none px-3"
    />
  )
}

/** Stays focusable when refused, so that the reason can be read by keyboard. */
function TestButton({ label, refusal, run }: MenuItem) {
  const id = useId()
  const name = `Testar conversa: ${label}`
  return (
    <button
      type="button"
      aria-label={name}
      aria-disabled={refusal !== undefined}
      aria-describedby={refusal === undefined ? undefined : id}
      data-tip={refusal ?? name}
      className="btn btn-outline btn-sm tip min-h-9 max-w-28 aria-disabled:cursor-not-allowed aria-disabled:border-line aria-disabled:text-muted"
      onClick={refusal === undefined ? run : undefined}
    >
      <span className={refusal === undefined ? 'truncate' : 'truncate line-through'}>{label}</span>
      {refusal !== undefined && (
        <span id={id} className="sr-only">
          {refusal}
        </span>
      )}
    </button>
  )
}

/** Creates a test conversa, without cost to the daily limit. */
export function TestConversa({ setores }: TestConversaProps) {
  const wide = useMediaQuery('(min-width: 64rem)')
  const choices = useTestChoices(setores)
  if (choices.length === 0) return null
  if (!wide) return <TestMenu setores={setores} iconOnPhones />
  return (
    <div role="group" aria-label="Testar conversa" className="flex flex-none items-center gap-1">
      <FlaskConical size={18} aria-hidden className="mx-1 text-muted" />
      {choices.map((choice) => (
        <TestButton key={choice.id} {...choice} />
      ))}
    </div>
  )
}
