import type { Setor } from '@balcao/contract/entities/config'
import { testeConversaRoute } from '@balcao/contract/routes/atendimento'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { Menu } from '#shared/ui/menu.tsx'

/** The sectors of the specification's three buttons. */
const TESTAVEIS = ['vendas', 'suporte', 'financeiro']

/** The list is asked for this long after a test conversation was made (spec §7). */
const LISTA_APOS_TESTE_MS = 1_000

async function testar(cliente: QueryClient, { id, nome }: Setor): Promise<void> {
  try {
    await call(testeConversaRoute, { body: { setor: id } })
    avisar.sucesso(`Conversa de teste criada no setor ${nome}!`)
    setTimeout(() => void cliente.invalidateQueries({ queryKey: CHAVES.conversas }), LISTA_APOS_TESTE_MS)
  } catch (erro) {
    avisar.erro(`Erro ao criar conversa de teste: ${mensagemDe(erro)}`)
  }
}

/** A conversation to practise with, in one of three sectors; it costs nothing of the daily limit. */
export function Testar({ setores }: { setores: readonly Setor[] }) {
  const cliente = useQueryClient()
  const itens = setores.filter(({ id }) => TESTAVEIS.includes(id))
  if (itens.length === 0) return null
  return (
    <Menu
      rotulo="Testar conversa"
      botao={
        <>
          <FlaskConical size={18} aria-hidden /> <span className="max-sm:sr-only">Testar</span>
        </>
      }
      itens={itens.map((setor) => ({ rotulo: setor.nome, fazer: () => void testar(cliente, setor) }))}
      className="btn btn-ghost min-h-11 flex-none px-3"
    />
  )
}
