const MARKS = /\p{M}+/gu

export function foldAccents(text: string): string {
  // The marks go first, because `normalize` sorts a run of them and needs quadratic time for a long one.
  return text.replace(MARKS, '').normalize('NFD').replace(MARKS, '').toLowerCase()
}
