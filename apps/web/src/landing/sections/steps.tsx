import { LANDING_STEPS } from '#landing/texts.ts'

export function StepsSection() {
  return (
    <section aria-labelledby="titulo-passos">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-20">
        <h2 id="titulo-passos" className="text-[1.75rem] font-extrabold">
          Abra o balcão em três passos
        </h2>
        <ol className="mt-10 grid gap-8 md:grid-cols-3 md:gap-10">
          {LANDING_STEPS.map(({ titulo, texto }, index) => (
            <li key={titulo} className="passo relative flex gap-4 md:block">
              <span
                aria-hidden
                className="grid size-11 flex-none place-items-center rounded-full bg-ipe text-lg font-extrabold text-[oklch(0.23_0.022_168)]"
              >
                {index + 1}
              </span>
              <div className="md:mt-4">
                <h3 className="text-[1.05rem] font-bold">{titulo}</h3>
                <p className="mt-1.5 text-muted">{texto}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
