import type { Lacuna } from '@balcao/contract/entities/lacuna'
import { ignorarLacunaRoute, lacunasRoute } from '@balcao/contract/routes/ia-lacunas'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { type GapRemedy, offerGapDraft } from '#shared/ia/gap-draft.ts'
import { useUsuario } from '#shared/session.tsx'

interface GapList {
  readonly lacunas: readonly Lacuna[]
  readonly analisadas: number
}

const gapsKey = (dias: number) => ['ia', 'lacunas', dias] as const
/** The server compares thousands of texts for it. */
const STALE_MS = 5 * 60_000

export function useGaps(dias: number) {
  return useQuery<GapList>({
    queryKey: gapsKey(dias),
    queryFn: ({ signal }) => call(lacunasRoute, { query: { dias }, signal }),
    staleTime: STALE_MS,
  })
}

export function useIgnoreGap(dias: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Lacuna) => call(ignorarLacunaRoute, { params: { id }, query: { dias } }),
    onSuccess: (_, { id, rotulo }) => {
      client.setQueryData<GapList>(gapsKey(dias), (list) =>
        list === undefined ? list : { ...list, lacunas: list.lacunas.filter((lacuna) => lacuna.id !== id) },
      )
      notify.sucesso(`“${rotulo}” saiu da lista.`)
    },
    onError: (error) => notify.erro(errorMessage(error)),
  })
}

export interface Remedy {
  readonly remedy: GapRemedy
  readonly label: string
  readonly run: (lacuna: Lacuna) => void
}

/** The remedies that this person may use, in the order of their reach. */
export function useRemedies(): readonly Remedy[] {
  const navigate = useNavigate()
  const { tipo, componentesPermitidos } = useUsuario()
  const offer = (remedy: GapRemedy, { id, rotulo, exemplos }: Lacuna): void =>
    offerGapDraft({ remedy, id, rotulo, exemplos })
  const option: Remedy = {
    ...{ remedy: 'opcao', label: 'Nova opção do menu' },
    run: (lacuna) => {
      offer('opcao', lacuna)
      void navigate({ to: '/dashboard', search: { aba: 'mensagens' } })
    },
  }
  const knowledge: Remedy = {
    ...{ remedy: 'conhecimento', label: 'Ensinar à IA' },
    run: (lacuna) => {
      offer('conhecimento', lacuna)
      void navigate({ to: '/dashboard', search: { aba: 'ia', lista: 'fontes' } })
    },
  }
  const reply: Remedy = {
    ...{ remedy: 'resposta', label: 'Nova resposta rápida' },
    run: (lacuna) => {
      offer('resposta', lacuna)
      void navigate({ to: '/dashboard', search: { aba: 'atendimento', painel: 'respostas' } })
    },
  }
  return [
    ...(tipo === 'admin' || componentesPermitidos.mensagensMenus ? [option] : []),
    knowledge,
    ...(tipo === 'admin' || componentesPermitidos.atendimentoHumano ? [reply] : []),
  ]
}
