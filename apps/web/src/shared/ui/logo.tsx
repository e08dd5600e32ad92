export function LogoMark({ tamanho = 28 }: { tamanho?: number }) {
  return (
    <svg width={tamanho} height={tamanho} viewBox="0 0 32 32" aria-hidden className="flex-none">
      <rect width="32" height="32" rx="8" fill="#007651" />
      <path d="M7 8h18v3.5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0z" fill="#f5be36" />
      <path d="M8.5 17h15v5.5a2 2 0 0 1-2 2H14l-4 3v-3a1.5 1.5 0 0 1-1.5-1.5z" fill="#fff" />
    </svg>
  )
}

export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 text-lg font-extrabold tracking-tight">
      <LogoMark />
      Balcão
    </span>
  )
}
