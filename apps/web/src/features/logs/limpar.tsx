import { conversasRoute, limparConversasRoute } from '@balcao/contract/routes/registros'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { Confirmar } from '#shared/ui/confirmar.tsx'

/** Conversas to delete and to keep. Null while unknown or with more than 200 conversas. */
function useQuantas(): { readonly vao: number; readonly ficam: number } | null {
  const { data, error } = useQuery({
    queryKey: CHAVES.conversasBot,
    queryFn: ({ signal }) => call(conversasRoute, { query: { limite: 200 }, signal }),
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
  })
  useEffect(() => {
    if (error !== null) avisar.erro(`Erro ao carregar conversas: ${error.message}`)
  }, [error])
  if (data === undefined || data.proximoCursor !== undefined) return null
  const ficam = data.conversas.filter(({ ativa, etapa }) => ativa && etapa === 'humano').length
  return { vao: data.conversas.length - ficam, ficam }
}

const conversas = (quantas: number): string => (quantas === 1 ? '1 conversa' : `${quantas} conversas`)

/** Asks for confirmation: finished and bot-only conversas are deleted with their mensagens and files. */
export function Limpar({ onFechar }: { onFechar: () => void }) {
  const cliente = useQueryClient()
  const quantas = useQuantas()

  async function limpar(): Promise<void> {
    try {
      const { removidas } = await call(limparConversasRoute, {})
      avisar.sucesso(
        removidas === 0 ? 'Não havia conversas para limpar.' : `Conversas limpas! ${conversas(removidas)} a menos.`,
      )
      for (const queryKey of [CHAVES.mensagensBot, CHAVES.botStatus, CHAVES.conversas, CHAVES.sistema])
        void cliente.invalidateQueries({ queryKey })
    } catch (causa) {
      avisar.erro(`Erro ao limpar conversas: ${mensagemDe(causa)}`)
    }
  }

  return (
    <Confirmar
      aberto
      titulo="Limpar as conversas?"
      confirmar="Limpar conversas"
      onConfirmar={limpar}
      onFechar={onFechar}
    >
      <p>
        As conversas encerradas e as que estão só com o bot são apagadas, com suas mensagens e arquivos. As que esperam
        ou falam com uma pessoa continuam. Não é possível desfazer.
      </p>
      {quantas !== null && (
        <p className="mt-2 font-semibold text-ink">
          Agora: {conversas(quantas.vao)} para apagar, {quantas.ficam} {quantas.ficam === 1 ? 'continua' : 'continuam'}.
        </p>
      )}
    </Confirmar>
  )
}
