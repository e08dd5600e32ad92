/** Drawn here because the icon library would weigh more than the whole conversation on the landing page. */

const STROKE = {
  width: 18,
  height: 18,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
} as const

export function SendIcon() {
  return (
    <svg {...STROKE}>
      <path d="M4 5l17 7-17 7 3-7-3-7zM7 12h14" />
    </svg>
  )
}

export function RestartIcon() {
  return (
    <svg {...STROKE}>
      <path d="M4 4v5h5M4.6 9A8.5 8.5 0 1 1 3.5 13" />
    </svg>
  )
}
