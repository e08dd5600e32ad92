import { ArrowDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { HERO } from '#landing/texts.ts'

function Stroke() {
  return (
    <svg viewBox="0 0 300 12" preserveAspectRatio="none" aria-hidden className="absolute -bottom-1.5 left-0 h-3 w-full">
      <path d="M3 9C70 3 190 2 297 6" fill="none" stroke="var(--ipe)" strokeWidth="5" strokeLinecap="round" />
    </svg>
  )
}

/** `children` is the phone, drawn under the awning. */
export function Hero({ children }: { children: ReactNode }) {
  return (
    <section className="overflow-hidden">
      <div className="mx-auto grid max-w-6xl items-center gap-x-12 gap-y-14 px-4 py-12 sm:px-6 lg:grid-cols-[1fr_24.5rem] lg:py-20">
        <div>
          <p className="chip [--h:163]">
            <span className="size-1.5 rounded-full bg-brand" aria-hidden />
            {HERO.selo}
          </p>
          <h1 className="mt-5 text-[clamp(2.3rem,7.4vw,3.9rem)] leading-[1.06] font-extrabold tracking-[-0.035em]">
            {HERO.titulo}{' '}
            <span className="relative inline-block">
              <Stroke />
              <span className="relative">{HERO.destaque}</span>
            </span>
          </h1>
          <p className="mt-6 max-w-[34rem] text-lg text-muted">{HERO.promessa}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <a href="/register" className="btn btn-primary btn-lg">
              Criar conta
            </a>
            <a href="#recursos" className="btn btn-outline btn-lg">
              Ver recursos
              <ArrowDown size={18} aria-hidden />
            </a>
          </div>
          <p className="mt-4 text-[0.85rem] text-muted">{HERO.nota}</p>
        </div>
        <figure className="vitrine">
          <div className="toldo" aria-hidden />
          <div className="px-6 max-[399px]:px-2.5">{children}</div>
          <div className="tampo" aria-hidden />
          <figcaption className="mt-4 text-center text-[0.85rem] text-muted">{HERO.legenda}</figcaption>
        </figure>
      </div>
    </section>
  )
}
