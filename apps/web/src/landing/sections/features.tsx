import { Clock3, Power, ScrollText, ShieldCheck, SlidersHorizontal, Sparkles, type LucideIcon } from 'lucide-react'
import { LANDING_FEATURES, type FeatureIcon } from '#landing/texts.ts'

const ICONS: Readonly<Record<FeatureIcon, LucideIcon>> = {
  ligar: Power,
  ia: Sparkles,
  ajustes: SlidersHorizontal,
  logs: ScrollText,
  seguranca: ShieldCheck,
  relogio: Clock3,
}

export function FeaturesSection() {
  return (
    <section id="recursos" aria-labelledby="titulo-recursos" className="border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-20">
        <h2 id="titulo-recursos" className="max-w-xl text-[1.75rem] font-extrabold">
          Do primeiro “oi” ao “volte sempre”
        </h2>
        <p className="mt-3 max-w-xl text-muted">Tudo o que o seu atendimento precisa, num painel só e em português.</p>
        <ul className="mt-10 grid gap-x-10 gap-y-9 sm:grid-cols-2 lg:grid-cols-3">
          {LANDING_FEATURES.map(({ icone, titulo, texto }) => {
            const Icon = ICONS[icone]
            return (
              <li key={icone} className="flex gap-4 sm:block">
                <span className="grid size-11 flex-none place-items-center rounded-xl bg-brand-soft text-brand-ink">
                  <Icon size={21} aria-hidden />
                </span>
                <div className="sm:mt-4">
                  <h3 className="text-[1.05rem] font-bold">{titulo}</h3>
                  <p className="mt-1.5 text-muted">{texto}</p>
                </div>
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}
