import { Check, Minus } from 'lucide-react'
import { LANDING_PLANOS, PLANOS_NOTE, type LandingPlano } from '#landing/texts.ts'

/** An item that the plan lacks shows a dash, never a check. */
export function PlanosSection() {
  return (
    <section id="planos" aria-labelledby="titulo-planos" className="border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-20">
        <h2 id="titulo-planos" className="text-center text-[1.75rem] font-extrabold">
          Preço de balcão, sem letra miúda
        </h2>
        <div className="mx-auto mt-10 grid max-w-3xl gap-5 md:grid-cols-2">
          {LANDING_PLANOS.map((plano) => (
            <LandingPlanoCard key={plano.name} plano={plano} />
          ))}
        </div>
        <p className="mx-auto mt-6 max-w-3xl text-center text-muted">{PLANOS_NOTE}</p>
      </div>
    </section>
  )
}

function LandingPlanoCard({ plano }: { plano: LandingPlano }) {
  return (
    <article className={`card flex flex-col p-6 sm:p-7 ${plano.highlighted ? 'border-brand ring-1 ring-brand' : ''}`}>
      <h3 className="text-lg font-bold">{plano.name}</h3>
      <p className="mt-1 text-muted">{plano.summary}</p>
      <p className="mt-5">
        <span className="text-[2.4rem] leading-none font-extrabold tracking-[-0.03em]">{plano.price}</span>
        <span className={`text-muted ${plano.period.startsWith('/') ? '' : 'ml-2'}`}>{plano.period}</span>
      </p>
      <ul className="mt-6 mb-7 grid gap-2.5">
        {plano.items.map(({ texto, incluso }) => (
          <li key={texto} data-incluso={incluso} className={`flex items-start gap-2.5 ${incluso ? '' : 'text-muted'}`}>
            {incluso ? (
              <Check size={19} aria-hidden className="mt-0.5 flex-none text-brand" />
            ) : (
              <Minus size={19} aria-hidden className="mt-0.5 flex-none" />
            )}
            {texto}
          </li>
        ))}
      </ul>
      <a
        href={`/register?plano=${plano.id}`}
        className={`btn mt-auto ${plano.highlighted ? 'btn-primary' : 'btn-outline'}`}
      >
        Criar conta<span className="sr-only"> no plano {plano.name}</span>
      </a>
    </article>
  )
}
