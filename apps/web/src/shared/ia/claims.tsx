import type { Afirmacao, RespostaIa } from '@balcao/contract/entities/resposta-ia'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { Notice } from '#shared/ui/notice.tsx'

const SUPPORT_LABELS: Readonly<Record<NonNullable<Afirmacao['apoio']>['tipo'], string>> = {
  produto: 'Produto',
  horario: 'Horário',
  configuracao: 'Configuração',
  fonte: 'Conhecimento',
  ferramenta: 'Consulta',
}

/** The statements of an answer, each with what supports it. */
export function Claims({ afirmacoes, retida }: Pick<RespostaIa, 'afirmacoes' | 'retida'>) {
  return (
    <>
      {retida && (
        <Notice tone="espera" title="O cliente não recebeu esta resposta">
          Ela tinha informação que a loja não deu. Para a IA poder responder, ensine isso na aba IA, em O que sabe.
        </Notice>
      )}
      {afirmacoes.length > 0 && (
        <section aria-label="De onde tirou" className="grid gap-2">
          <h3 className="font-semibold">De onde tirou</h3>
          <ul className="grid gap-2">
            {afirmacoes.map((afirmacao, index) => (
              <Claim key={`${index}${afirmacao.texto}`} {...afirmacao} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Claim({ texto, apoio }: Afirmacao) {
  const Icone = apoio === null ? CircleAlert : CircleCheck
  return (
    <li className="flex min-w-0 gap-2.5 rounded-card bg-sunken p-3 text-sm">
      <Icone
        size={18}
        aria-hidden
        className={`mt-px flex-none ${apoio === null ? 'text-danger-ink' : 'text-brand-ink'}`}
      />
      <div className="min-w-0">
        <p className="font-semibold [overflow-wrap:anywhere]">{texto}</p>
        {apoio === null ? (
          <p className="font-semibold text-danger-ink">Sem apoio</p>
        ) : (
          <p className="text-muted [overflow-wrap:anywhere]">
            {SUPPORT_LABELS[apoio.tipo]}
            {apoio.trecho === undefined ? '' : `: ${apoio.trecho}`}
          </p>
        )}
      </div>
    </li>
  )
}
