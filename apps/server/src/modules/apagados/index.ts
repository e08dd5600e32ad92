export { findErasedPhones, requireNotErased } from './erased-phones.ts'
export {
  type ErasureMark,
  erasureMarkContext,
  findLackingMarks,
  insertErasureMarks,
  type MarksPlace,
  recordLackingMarks,
} from './erasure-marks.ts'
