import { respostaGeminiRoute } from '@balcao/contract/routes/gemini'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Dialog } from '#shared/ui/dialog.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'

const AiAnswerDetails = lazy(async () => ({ default: (await import('./ai-answer-details.tsx')).AiAnswerDetails }))

interface WhyAnswerProps {
  readonly mensagemId: string
  readonly onClose: () => void
}

export function WhyAnswer({ mensagemId, onClose }: WhyAnswerProps) {
  return (
    <Dialog open title="Por que respondeu isto?" width="lg" onClose={onClose}>
      <WhyAnswerContent mensagemId={mensagemId} />
    </Dialog>
  )
}

function WhyAnswerContent({ mensagemId }: { mensagemId: string }) {
  // An answer never changes; retention only deletes it.
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['gemini', 'respostas', mensagemId],
    queryFn: ({ signal }) => call(respostaGeminiRoute, { params: { id: mensagemId }, signal }),
    staleTime: Infinity,
    retry: false,
  })
  if (isPending) return <WhyAnswerLoading />
  if (data !== undefined) {
    return (
      <Suspense fallback={<WhyAnswerLoading />}>
        <AiAnswerDetails resposta={data.resposta} />
      </Suspense>
    )
  }
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState title="Esta explicação não existe mais">
        Guardamos por 30 dias o que foi enviado e recebido em cada resposta da IA. Depois disso, só a mensagem fica.
      </EmptyState>
    )
  }
  return <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
}

function WhyAnswerLoading() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando a explicação" className="grid gap-3">
      <Skeleton className="h-14 w-4/5 rounded-2xl" />
      <Skeleton className="ml-auto h-20 w-4/5 rounded-2xl" />
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-24 w-full" />
    </div>
  )
}
