import type { Conversa, ResumoDaConversa } from '@balcao/contract/entities/conversa'
import { Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { Skeleton } from '#shared/ui/states.tsx'
import { useFicha } from './use-ficha.ts'

/** How the customer came to people, above everything else about them. An error is shown with the rest of the ficha. */
export function CustomerBrief({ conversa }: { conversa: Conversa }) {
  const { data, isPending } = useFicha(conversa)
  if (isPending) {
    return (
      <div role="status" aria-label="Carregando o resumo" aria-busy="true">
        <Skeleton className="h-16 w-full" />
      </div>
    )
  }
  return data?.resumo === undefined ? null : <Brief resumo={data.resumo} />
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase('pt-BR') + text.slice(1)

function Brief({ resumo: { motivo, caminho, produtos, ultimas, ia } }: { resumo: ResumoDaConversa }) {
  return (
    <section aria-labelledby="resumo-da-conversa" className="grid gap-2 rounded-xl bg-sunken p-3 text-sm">
      <div>
        <h3 id="resumo-da-conversa" className="text-muted">
          Como chegou
        </h3>
        <p className="font-semibold wrap-anywhere">{capital(motivo)}</p>
      </div>
      {ia !== undefined && (
        <BriefPart
          name={
            <>
              <Sparkles size={14} aria-hidden className="mr-1 inline align-[-2px]" />
              Resumo da IA
            </>
          }
        >
          <p className="wrap-anywhere whitespace-pre-line">{ia}</p>
        </BriefPart>
      )}
      {caminho.length > 0 && (
        <BriefPart name="Escolheu no menu">
          <p className="wrap-anywhere">{caminho.join(' › ')}</p>
        </BriefPart>
      )}
      {produtos.length > 0 && (
        <BriefPart name="Produtos">
          <p className="wrap-anywhere">{produtos.join(', ')}</p>
        </BriefPart>
      )}
      {ultimas.length > 0 && (
        <BriefPart name="Últimas mensagens antes do atendimento">
          <ul className="grid gap-1">
            {ultimas.map((texto, index) => (
              // The same text may come twice, and the list never changes.
              <li key={`${index} ${texto}`} className="line-clamp-3 wrap-anywhere">
                “{texto}”
              </li>
            ))}
          </ul>
        </BriefPart>
      )}
    </section>
  )
}

function BriefPart({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <h4 className="text-muted">{name}</h4>
      {children}
    </div>
  )
}
